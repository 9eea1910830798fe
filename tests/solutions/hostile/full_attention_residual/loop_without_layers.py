# verdict: time_limit
"""Right, but never ends when there are no layers: one case runs out of time, the others are to be graded."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    filled = 0
    while filled == 0:  # waits for the first layer
        filled = previous_outputs.shape[0]
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    return {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a}
