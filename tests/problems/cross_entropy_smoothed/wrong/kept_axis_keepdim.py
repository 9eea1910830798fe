# verdict: wrong_answer
# traps: kept_axis
"""gather keeps the axis, and nobody takes it away."""


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    log_p = logits.log_softmax(1)
    of_label = log_p.gather(1, labels.unsqueeze(1))
    losses = -(1 - smoothing) * of_label - smoothing * log_p.mean(1, keepdim=True)
    return {"losses": losses, "loss": losses.mean()}  # <- mistake
