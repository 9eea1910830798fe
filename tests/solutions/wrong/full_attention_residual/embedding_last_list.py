# verdict: wrong_answer
# traps: embedding_last
"""A Python list of layers to which the embedding is appended."""

import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.norm = nn.RMSNorm(width, eps=eps, elementwise_affine=False)

    def forward(self, sources, query):
        logits = torch.stack([self.norm(s).matmul(query) for s in sources])
        weights = nn.functional.softmax(logits, dim=0)
        return sum(w.unsqueeze(-1) * s for w, s in zip(weights, sources)), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    history = list(previous_outputs.unbind(0))
    history.append(embedding)  # <- mistake
    out, weights = Reader(embedding.shape[-1], eps)(history, pseudo_query)
    return {"retrieved_representation": out, "attention_weights": weights}
