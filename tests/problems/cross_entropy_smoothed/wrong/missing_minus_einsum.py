# verdict: wrong_answer
# traps: missing_minus
"""All is there but the sign."""

import torch


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    batch, classes = logits.shape
    log_p = logits.log_softmax(1)
    targets = torch.eye(classes, dtype=logits.dtype, device=logits.device)[labels]
    targets = torch.lerp(targets, torch.full_like(targets, 1 / classes), smoothing)
    losses = torch.einsum("bk,bk->b", targets, log_p)  # <- mistake
    return {"losses": losses, "loss": losses.sum() / batch}
