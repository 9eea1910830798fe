# verdict: wrong_answer
# traps: missing_minus, sum_over_batch
"""Two mistakes at once, inside a class."""

from torch.nn import functional


class Loss:
    def __init__(self, smoothing):
        self.smoothing = smoothing

    def targets(self, labels, like):
        one_hot = functional.one_hot(labels, like.shape[1]).type_as(like)
        return one_hot * (1 - self.smoothing) + self.smoothing / like.shape[1]

    def __call__(self, logits, labels):
        log_p = logits - logits.logsumexp(1, keepdim=True)
        losses = (self.targets(labels, logits) * log_p).sum(1)
        return {"losses": losses, "loss": losses.sum()}


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    return Loss(smoothing)(logits, labels)
