# verdict: wrong_answer
# traps: keys_normalized_twice
import torch
from torch import nn


class PreNormScorer(nn.Module):
    def __init__(self, width, eps, like):
        super().__init__()
        kw = {"dtype": like.dtype, "device": like.device}
        self.norm = nn.RMSNorm(width, eps=eps, elementwise_affine=False, **kw)

    def forward(self, keys, query):
        return torch.einsum("...d,d->...", self.norm(keys), query)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    wide = torch.promote_types(dtype, torch.float32)
    e, f, w = embedding.to(wide), previous_outputs.to(wide), pseudo_query.to(wide)
    values = torch.cat([e.unsqueeze(0), f])
    keys = values / torch.sqrt(values.pow(2).mean(-1, keepdim=True) + eps)  # <- mistake
    weights = PreNormScorer(e.shape[-1], eps, e)(keys, w).softmax(0)
    return {
        "retrieved_representation": torch.einsum("s...,s...d->...d", weights, values).to(dtype),
        "attention_weights": weights.to(dtype),
    }
