# verdict: wrong_answer
# traps: phantom_zero_source
"""Starts the history with zeros, as one would start a running sum; its row is returned too."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    history = [torch.zeros_like(embedding)]  # <- mistake
    history += [embedding]
    history += previous_outputs.unbind(0)
    keys = [h / (h.pow(2).mean(-1, True) + eps).sqrt() for h in history]
    logits = torch.stack([torch.einsum("btd,d->bt", k, pseudo_query) for k in keys])
    p = logits.softmax(0)
    return {
        "retrieved_representation": torch.stack([w[..., None] * h for w, h in zip(p, history)]).sum(0),
        "attention_weights": p,
    }
