# verdict: wrong_answer
# traps: softmax_per_feature
"""Forgets to sum the products over the features, and reports the mean of the features' weights."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    logits = k * pseudo_query
    alpha = torch.softmax(logits, dim=0)  # <- mistake
    h = (alpha * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": alpha.mean(-1)}
