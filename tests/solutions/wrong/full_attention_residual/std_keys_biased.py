# verdict: wrong_answer
# traps: std_keys
"""The standard deviation for the root mean square: variance over the features, without centring the keys."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding[None], previous_outputs])
    variance = v.var(dim=-1, correction=0, keepdim=True)  # <- mistake
    k = v * (variance + eps).rsqrt()  # <- mistake
    a = (k @ pseudo_query).softmax(dim=0)
    return {"retrieved_representation": (a[..., None] * v).sum(dim=0), "attention_weights": a}
