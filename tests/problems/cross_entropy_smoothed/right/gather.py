# verdict: accepted
"""Without targets: the label's log probability, and the mean of all."""


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    log_p = logits - logits.logsumexp(-1, keepdim=True)
    of_label = log_p.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    losses = -(1 - smoothing) * of_label - smoothing * log_p.mean(-1)
    return {"losses": losses, "loss": losses.mean()}
