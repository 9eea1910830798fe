# verdict: wrong_answer
# traps: eps_hard_coded
import torch
import torch.nn as nn


class KeyNorm(nn.Module):
    def __init__(self, eps=1e-5):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        ms = (x * x).mean(dim=-1, keepdim=True)
        return x * torch.rsqrt(ms + self.eps)


class DepthReader(nn.Module):
    def __init__(self, eps=1e-6):
        super().__init__()
        self.key_norm = KeyNorm()  # <- mistake

    def forward(self, sources, query):
        keys = self.key_norm(sources)
        logits = (keys * query).sum(-1)
        weights = torch.softmax(logits, dim=0)
        return (weights.unsqueeze(-1) * sources).sum(0), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    reader = DepthReader(eps=eps)
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    half = sources.dtype in (torch.float16, torch.bfloat16)
    if half:
        h, w = reader(sources.float(), pseudo_query.float())
    else:
        h, w = reader(sources, pseudo_query)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": w.to(embedding.dtype),
    }
