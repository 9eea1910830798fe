# verdict: wrong_answer
# traps: detached_gradients
"""A constant of the softmax that is none."""

import torch


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    with torch.no_grad():  # <- mistake
        norm = logits.logsumexp(1, keepdim=True)
    log_p = logits - norm
    of_label = log_p.gather(1, labels.unsqueeze(1)).squeeze(1)
    losses = -(1 - smoothing) * of_label - smoothing * log_p.mean(1)
    return {"losses": losses, "loss": losses.mean()}
