# verdict: wrong_answer
import torch
import torch.nn as nn


class GatedDepthAttention(nn.Module):
    """RMS-normalised keys, raw values, softmax over depth."""

    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, sources, query):
        norm = sources.pow(2).mean(-1, keepdim=True).add(self.eps).sqrt()
        logits = torch.matmul(sources / norm, query)
        weights = nn.functional.softmax(logits, dim=0)
        gate = torch.sigmoid(logits)
        mixed = ((weights * gate).unsqueeze(-1) * sources).sum(0)  # <- mistake
        return mixed, weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    reader = GatedDepthAttention(eps)
    mixed, weights = reader(torch.cat([embedding[None], previous_outputs]), pseudo_query)
    return {"retrieved_representation": mixed, "attention_weights": weights}
