# verdict: wrong_answer
# traps: token_dependent_query
"""Ordinary attention over depth: the newest state of each token is its query, and pseudo_query goes unused."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    out_dtype = embedding.dtype
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    if out_dtype in (torch.float16, torch.bfloat16):
        v = v.float()
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    current = v[-1]  # <- mistake
    logits = (k * current).sum(-1)  # <- mistake
    a = torch.softmax(logits, dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h.to(out_dtype), "attention_weights": a.to(out_dtype)}
