# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # features x sources at the back: (B, T, D, S)
    x = torch.stack([embedding, *previous_outputs], dim=-1)
    ms = torch.mean(x.pow(2), dim=-2)
    logits = torch.tensordot(x, pseudo_query, dims=([2], [0])) / torch.sqrt(ms + eps)
    p = torch.softmax(logits, dim=-1)
    h = torch.matmul(x, p.unsqueeze(-1)).squeeze(-1)
    return {"retrieved_representation": h, "attention_weights": p.permute(2, 0, 1)}
