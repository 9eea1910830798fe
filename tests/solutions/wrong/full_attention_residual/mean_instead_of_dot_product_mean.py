# verdict: wrong_answer
# traps: mean_instead_of_dot
"""`.mean(-1)` of the product, where a dot product has a sum."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], 0)
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    similarity = torch.mean(k * pseudo_query, dim=-1)  # <- mistake
    alpha = torch.softmax(similarity, 0)
    return {
        "retrieved_representation": torch.sum(alpha.unsqueeze(-1) * v, 0),
        "attention_weights": alpha,
    }
