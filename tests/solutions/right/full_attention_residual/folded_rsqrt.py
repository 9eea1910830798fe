# verdict: accepted
"""Never builds the keys: the dot product with the raw values times 1/rms is the same number."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    inputs = (embedding.unsqueeze(0), previous_outputs)
    wide = torch.promote_types(embedding.dtype, torch.float32)

    def logits(x):
        x = x.to(wide)
        return torch.matmul(x, pseudo_query.to(wide)) * torch.rsqrt((x * x).mean(-1) + eps)

    weights = torch.cat([logits(x) for x in inputs]).softmax(0)
    first, rest = weights[0], weights[1:]
    mixed = first.unsqueeze(-1) * embedding + torch.einsum(
        "sbt,sbtd->btd", rest, previous_outputs.to(wide)
    )
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
