# verdict: wrong_answer
# traps: wrong_dtype
"""Half inputs: the mix is cast back, the weights stay float32."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    values = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(wide)
    keys = torch.nn.functional.rms_norm(values, values.shape[-1:], eps=eps)
    weights = torch.softmax(torch.einsum("sbtd,d->sbt", keys, pseudo_query.to(wide)), 0)
    mixed = torch.einsum("sbt,sbtd->btd", weights, values)
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": weights,  # <- mistake
    }
