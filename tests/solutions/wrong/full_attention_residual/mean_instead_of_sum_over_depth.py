# verdict: wrong_answer
# traps: mean_instead_of_sum
"""A weighted mean, thinks the author: but the weights sum to one already."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = sources / torch.sqrt(torch.mean(sources**2, dim=-1, keepdim=True) + eps)
    weights = torch.softmax(torch.matmul(keys, pseudo_query), dim=0)
    weighted_mean = torch.mean(weights.unsqueeze(-1) * sources, dim=0)  # <- mistake
    return {"retrieved_representation": weighted_mean, "attention_weights": weights}
