# verdict: wrong_answer
# traps: unstable_logarithm
"""First the softmax, then the logarithm."""

import torch
from torch.nn import functional


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    log_p = torch.log(torch.softmax(logits, dim=-1))  # <- mistake
    uniform = smoothing / logits.size(-1)
    targets = (
        functional.one_hot(labels, logits.size(-1)).to(logits.dtype) * (1 - smoothing) + uniform
    )
    losses = -torch.einsum("bk,bk->b", targets, log_p)
    return {"losses": losses, "loss": losses.mean()}
