# verdict: wrong_answer
# traps: misaligned_weights
"""Scores are (embedding, layers), values are (layers, embedding): each gets its neighbour's weight."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def key(x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)

    scores = torch.cat([(key(embedding) @ pseudo_query).unsqueeze(0), key(previous_outputs) @ pseudo_query])
    weights = torch.softmax(scores, dim=0)
    values = torch.cat([previous_outputs, embedding.unsqueeze(0)])  # <- mistake
    mixed = (weights.unsqueeze(-1) * values).sum(0)  # <- mistake
    return {"retrieved_representation": mixed, "attention_weights": weights}
