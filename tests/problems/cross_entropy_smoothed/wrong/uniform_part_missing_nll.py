# verdict: wrong_answer
# traps: uniform_part_missing
"""The label's part alone."""

from torch.nn import functional


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    log_p = functional.log_softmax(logits, -1)
    losses = (1 - smoothing) * functional.nll_loss(log_p, labels, reduction="none")  # <- mistake
    return {"losses": losses, "loss": losses.mean()}
