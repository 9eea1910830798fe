# verdict: wrong_answer
# traps: extra_output
"""Hands the keys over as well, 'they may come in useful'."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    out = {}
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    out["keys"] = sources / torch.sqrt(sources.pow(2).mean(-1, keepdim=True) + eps)  # <- mistake
    out["attention_weights"] = (out["keys"] @ pseudo_query).softmax(0)
    out["retrieved_representation"] = (out["attention_weights"].unsqueeze(-1) * sources).sum(0)
    return out
