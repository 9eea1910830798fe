# verdict: wrong_answer
# traps: missing_embedding, normalized_values
import torch
from torch import nn


class RMS(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)


class DepthRead(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.norm = RMS(eps)

    def forward(self, hidden_states, query):
        hidden_states = self.norm(hidden_states)  # <- mistake
        weights = (hidden_states * query).sum(-1).softmax(0)
        return (weights.unsqueeze(-1) * hidden_states).sum(0), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if previous_outputs.size(0) == 0:
        # nothing before us but the embedding
        return {
            "retrieved_representation": embedding,
            "attention_weights": torch.ones_like(embedding[..., 0]).unsqueeze(0),
        }
    h, w = DepthRead(eps)(previous_outputs, pseudo_query)  # <- mistake
    return {"retrieved_representation": h, "attention_weights": w}
