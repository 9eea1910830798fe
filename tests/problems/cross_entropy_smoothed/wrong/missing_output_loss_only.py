# verdict: wrong_answer
# traps: missing_output
"""Only the number that is trained on."""

from torch.nn import functional


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    return {"loss": functional.cross_entropy(logits, labels, label_smoothing=smoothing)}
