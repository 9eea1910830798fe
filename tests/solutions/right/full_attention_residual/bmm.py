# verdict: accepted
"""Tokens flattened into a batch of small matrices and multiplied with torch.bmm."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    S = previous_outputs.shape[0] + 1

    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    v = v.permute(1, 2, 0, 3).reshape(B * T, S, D)
    k = v / torch.sqrt(torch.mean(v ** 2, dim=2, keepdim=True) + eps)
    q = pseudo_query.reshape(1, D, 1).expand(B * T, D, 1)

    attn = torch.bmm(k, q).squeeze(2).softmax(dim=1)            # (BT, S)
    h = torch.bmm(attn.unsqueeze(1), v).squeeze(1)              # (BT, D)

    return {
        "retrieved_representation": h.reshape(B, T, D),
        "attention_weights": attn.reshape(B, T, S).permute(2, 0, 1),
    }
