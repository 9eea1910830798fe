# verdict: wrong_answer
# traps: unnormalized_exponentials
"""A stable softmax that stops before the division."""
import torch


def stable_exp(x, dim):
    """exp of x, with the maximum taken out."""
    return torch.exp(x - x.amax(dim=dim, keepdim=True))


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = stable_exp(k @ pseudo_query, dim=0)  # <- mistake
    h = (a.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": a}
