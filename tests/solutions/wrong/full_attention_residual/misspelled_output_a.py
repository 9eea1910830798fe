# verdict: wrong_answer
# traps: misspelled_output
import dataclasses

import torch


@dataclasses.dataclass
class ReadResult:
    retrieved_representation: torch.Tensor
    attention_weight: torch.Tensor  # <- mistake


def _read(stack: torch.Tensor, query: torch.Tensor, eps: float) -> tuple[torch.Tensor, ...]:
    inverse = (stack.square().mean(-1) + eps) ** -0.5
    weights = (inverse * (stack @ query)).softmax(0)
    return (weights.unsqueeze(-1) * stack).sum(0), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    if dtype.itemsize == 2:
        dtype = torch.float32
    stack = torch.stack([embedding, *previous_outputs]).to(dtype)
    tensors = _read(stack, pseudo_query.to(dtype), eps)
    return vars(ReadResult(*(t.to(embedding.dtype) for t in tensors)))
