# verdict: wrong_answer
# traps: softmax_over_batch
"""The axis is the wrong one, and the label's part is picked by gather."""


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    log_p = logits.log_softmax(dim=0)  # <- mistake
    picked = log_p.gather(1, labels[:, None])[:, 0]
    losses = -(1 - smoothing) * picked - smoothing * log_p.mean(1)
    return {"losses": losses, "loss": losses.mean()}
