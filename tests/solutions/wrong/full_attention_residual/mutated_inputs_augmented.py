# verdict: wrong_answer | runtime_error
# traps: mutated_inputs
"""Uses `*=` on the argument to save memory; right in its result, but the caller's layers are normalised."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    scale = torch.rsqrt(values.pow(2).mean(-1, keepdim=True) + eps)
    previous_outputs *= scale[1:]  # <- mistake
    keys = torch.cat([embedding.unsqueeze(0) * scale[:1], previous_outputs])
    alpha = torch.softmax(keys @ pseudo_query, dim=0)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", alpha, values),
        "attention_weights": alpha,
    }
