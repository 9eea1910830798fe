# verdict: wrong_answer
# traps: first_token_weights
import torch
from typing import NamedTuple


class Read(NamedTuple):
    mixed: torch.Tensor
    weights: torch.Tensor


class DepthAttention(torch.nn.Module):
    def __init__(self, eps: float):
        super().__init__()
        self.eps = eps

    def weigh(self, states, query):
        rms = (states.pow(2).mean(-1) + self.eps).sqrt()
        return torch.softmax(states @ query / rms, dim=0)

    def forward(self, states, query) -> Read:
        weights = self.weigh(states, query)
        weights = weights[:, :, 0:1].expand_as(weights)  # <- mistake
        return Read(mixed=(weights[..., None] * states).sum(dim=0), weights=weights)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    kind = embedding.dtype
    wide = torch.float64 if kind == torch.float64 else torch.float32
    states = torch.concat((embedding[None], previous_outputs)).to(wide)
    read = DepthAttention(eps)(states, pseudo_query.to(wide))
    return {
        "retrieved_representation": read.mixed.to(kind),
        "attention_weights": read.weights.to(kind),
    }
