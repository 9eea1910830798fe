# verdict: wrong_answer
# traps: uniform_weights
import torch
from torch import nn


class AttnRes(nn.Module):
    """The read of one layer. The paper starts its pseudo-query at zero."""

    def __init__(self, pseudo_query: torch.Tensor, eps: float) -> None:
        super().__init__()
        self.eps = eps
        self.query = torch.zeros_like(pseudo_query)  # <- mistake

    def forward(self, history: list[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        v = torch.stack(history)
        k = v * torch.rsqrt(v.pow(2).mean(dim=-1, keepdim=True) + self.eps)
        alpha = torch.einsum("d,nbtd->nbt", self.query, k).softmax(dim=0)
        return torch.einsum("nbt,nbtd->btd", alpha, v), alpha


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    up = torch.promote_types(embedding.dtype, torch.float32)
    layer = AttnRes(pseudo_query.to(up), eps)
    h, alpha = layer([embedding.to(up)] + [f.to(up) for f in previous_outputs])
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": alpha.to(embedding.dtype),
    }
