# verdict: accepted
"""Debug prints left in, at import and in the call, on both streams."""
import sys

import torch

print("torch", torch.__version__)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    print("embedding", tuple(embedding.shape), "layers", len(previous_outputs), "eps", eps)
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], 0)
    k = x / torch.sqrt(torch.mean(x.pow(2), -1, keepdim=True) + eps)
    w = torch.softmax((k * pseudo_query).sum(-1), 0)
    print("weights:", w.shape, w.dtype, file=sys.stderr)
    out = (w[:, :, :, None] * x).sum(0)
    print("done", flush=True)
    return {"retrieved_representation": out, "attention_weights": w}
