# verdict: wrong_answer
# traps: layer_norm_keys, weights_extra_axis
"""LayerNorm, and keepdim=True up to the return statement."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    centred = x - x.mean(-1, keepdim=True)  # <- mistake
    k = centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + eps)
    a = torch.sum(k * pseudo_query, dim=-1, keepdim=True).softmax(0)
    h = (a * x).sum(0)
    return {"retrieved_representation": h, "attention_weights": a}  # <- mistake
