# verdict: wrong_answer
# traps: norm_over_tokens
import torch
from torch import Tensor


def rms_normalise(x: Tensor, *, axis: int, eps: float) -> Tensor:
    return x * x.square().mean(dim=axis, keepdim=True).add(eps).rsqrt()


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    values = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(wide)
    keys = rms_normalise(values, axis=2, eps=eps)  # <- mistake
    logits = torch.matmul(keys, pseudo_query.to(wide))
    weights = torch.softmax(logits, dim=0)
    mixed = torch.mul(weights.unsqueeze(3), values).sum(dim=0)
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
