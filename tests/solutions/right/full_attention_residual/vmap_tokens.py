# verdict: accepted
"""Written for one token and mapped over batch and sequence with torch.vmap."""
import torch
from torch import vmap


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def one_token(e, f):
        # e: (D,)  f: (L, D)
        v = torch.cat((e.unsqueeze(0), f))
        k = v / (v.pow(2).mean(1, keepdim=True) + eps).sqrt()
        a = torch.softmax(k @ pseudo_query, 0)
        return a @ v, a

    over_sequence = vmap(one_token, in_dims=(0, 1), out_dims=(0, 1))
    over_batch = vmap(over_sequence, in_dims=(0, 1), out_dims=(0, 1))
    h, a = over_batch(embedding, previous_outputs)
    return {"retrieved_representation": h, "attention_weights": a}
