# verdict: accepted
"""Everything by hand, with the greatest logit taken out."""

import torch


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    shifted = logits - logits.amax(dim=1, keepdim=True)
    log_p = shifted - shifted.exp().sum(dim=1, keepdim=True).log()
    classes = torch.arange(logits.shape[1], device=logits.device)
    is_label = (classes == labels[:, None]).to(logits.dtype)
    targets = is_label * (1 - smoothing) + smoothing / logits.shape[1]
    losses = torch.linalg.vecdot(targets, -log_p)
    return {"losses": losses, "loss": losses.sum() / len(losses)}
