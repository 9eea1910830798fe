# verdict: wrong_answer
# traps: softmax_over_tokens
"""Sources moved to the third axis; the hand-written softmax normalises the second."""
import torch


def softmax(x, axis):
    e = torch.exp(x - x.amax(axis, keepdim=True))
    return e / e.sum(axis, keepdim=True)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).permute(1, 2, 0, 3)
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    s = torch.matmul(k, pseudo_query.unsqueeze(-1)).squeeze(-1)  # (B, T, S)
    p = softmax(s, axis=1)  # <- mistake
    h = torch.bmm(p.reshape(B * T, 1, -1), v.reshape(B * T, -1, D)).reshape(B, T, D)
    return {"retrieved_representation": h, "attention_weights": p.permute(2, 0, 1)}
