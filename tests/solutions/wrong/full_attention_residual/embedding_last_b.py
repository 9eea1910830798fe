# verdict: wrong_answer
# traps: embedding_last
import math

import torch
from torch import nn


class DepthReader(nn.Module):
    """Reads one vector per token out of a history of states."""

    def __init__(self, query, eps):
        super().__init__()
        self.query = query
        self.eps = eps

    def key(self, state):
        length = torch.linalg.vector_norm(state, dim=-1, keepdim=True)
        rms = torch.hypot(length / math.sqrt(state.shape[-1]), length.new_tensor(self.eps).sqrt())
        return state / rms

    def forward(self, history):
        logits = torch.stack([self.key(state) @ self.query for state in history])
        weights = nn.Softmax(dim=0)(logits)
        mixed = sum(weight[..., None] * state for weight, state in zip(weights, history))
        return mixed, weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    up = torch.float64 if dtype == torch.float64 else torch.float32
    history = [layer.to(up) for layer in previous_outputs]
    history.append(embedding.to(up))  # <- mistake
    mixed, weights = DepthReader(pseudo_query.to(up), eps)(history)
    return {
        "retrieved_representation": mixed.to(dtype),
        "attention_weights": weights.to(dtype),
    }
