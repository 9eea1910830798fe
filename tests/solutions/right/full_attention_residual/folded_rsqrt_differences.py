# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """The norm folded into the logit: no key is ever built."""
    e_raw, f_raw = embedding @ pseudo_query, previous_outputs @ pseudo_query
    e_inv = torch.rsqrt(embedding.square().mean(-1) + eps)
    f_inv = torch.rsqrt(previous_outputs.square().mean(-1) + eps)
    logits = torch.cat([(e_raw * e_inv)[None], f_raw * f_inv])
    a = logits.softmax(0)
    h = embedding + ((previous_outputs - embedding) * a[1:, ..., None]).sum(0)
    return {"retrieved_representation": h, "attention_weights": a}
