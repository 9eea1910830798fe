# verdict: wrong_answer
# traps: mutated_inputs
"""The greatest logit is taken out in place."""

from torch.nn import functional


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    logits -= logits.amax(-1, keepdim=True)  # <- mistake
    losses = functional.cross_entropy(logits, labels, reduction="none", label_smoothing=smoothing)
    return {"losses": losses, "loss": losses.mean()}
