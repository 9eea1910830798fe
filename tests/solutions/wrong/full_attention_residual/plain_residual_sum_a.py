# verdict: wrong_answer
# traps: plain_residual_sum
import torch
from torch import nn


class ResidualStream:
    """Holds the states of one forward pass."""

    def __init__(self, first: torch.Tensor) -> None:
        self.states = [first]

    def __iadd__(self, update: torch.Tensor) -> "ResidualStream":
        self.states.append(update)
        return self

    def __len__(self) -> int:
        return len(self.states)

    def weights(self, query: torch.Tensor, eps: float) -> torch.Tensor:
        norm = nn.functional.rms_norm
        scores = [norm(s, s.shape[-1:], eps=eps).matmul(query) for s in self.states]
        return torch.stack(scores).softmax(0)

    def read(self, weights: torch.Tensor) -> torch.Tensor:
        return torch.stack(self.states).sum(0)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    up = torch.float64 if embedding.dtype == torch.float64 else torch.float32
    stream = ResidualStream(embedding.to(up))
    for f in previous_outputs:
        stream += f.to(up)
    weights = stream.weights(pseudo_query.to(up), eps)
    return {
        "retrieved_representation": stream.read(weights).to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
