# verdict: wrong_answer
# traps: logits_as_weights
"""The helper returns (out, scores), and scores are not yet weights."""
import torch


def attention(q, k, v):
    """q (N, 1, D), k and v (N, S, D)."""
    scores = torch.bmm(q, k.transpose(1, 2))
    return torch.bmm(scores.softmax(dim=-1), v), scores


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).flatten(1, 2).transpose(0, 1)  # (N, S, D)
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    out, weights = attention(pseudo_query.expand(B * T, 1, D), k, v)
    return {
        "retrieved_representation": out.reshape(B, T, D),
        "attention_weights": weights.squeeze(1).t().reshape(-1, B, T),  # <- mistake
    }
