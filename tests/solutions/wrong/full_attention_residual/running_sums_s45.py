# verdict: wrong_answer
# traps: running_sums
import torch
from torch import Tensor


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    # states of the residual stream after each layer
    stream = embedding
    states = [embedding]
    for output in previous_outputs:
        stream = stream + output  # <- mistake
        states.append(stream)
    values = torch.stack(states, dim=0)

    keys = values / torch.sqrt(values.square().mean(dim=-1, keepdim=True) + eps)
    logits = keys @ pseudo_query
    weights = torch.softmax(logits, dim=0)
    retrieved = torch.sum(weights.unsqueeze(-1) * values, dim=0)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
