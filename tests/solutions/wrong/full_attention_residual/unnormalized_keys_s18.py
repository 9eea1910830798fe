# verdict: wrong_answer
# traps: unnormalized_keys
import torch
from torch.func import vmap


def read_token(v, w, eps):
    """v: (S, D) all sources of one token."""
    rms = torch.sqrt(torch.mean(v**2, -1, keepdim=True) + eps)
    k = v / rms
    a = torch.softmax(v @ w, 0)  # <- mistake
    return a @ v, a


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding[None], previous_outputs], dim=0)
    read = vmap(lambda v: read_token(v, pseudo_query, eps), in_dims=1, out_dims=(0, 1))
    read = vmap(read, in_dims=1, out_dims=(0, 1))
    h, a = read(sources)
    return {"retrieved_representation": h, "attention_weights": a}
