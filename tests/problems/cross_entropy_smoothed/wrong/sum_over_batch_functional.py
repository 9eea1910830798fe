# verdict: wrong_answer
# traps: sum_over_batch
"""torch's own function twice, and the second time with the wrong reduction."""

from torch.nn.functional import cross_entropy


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    losses = cross_entropy(logits, labels, reduction="none", label_smoothing=smoothing)
    loss = cross_entropy(logits, labels, reduction="sum", label_smoothing=smoothing)  # <- mistake
    return {"losses": losses, "loss": loss}
