# verdict: wrong_answer
# traps: hard_argmax
"""Takes the best source alone instead of a soft mixture."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = F.rms_norm(v, v.shape[-1:], eps=eps)
    best = (k @ pseudo_query).argmax(dim=0)  # <- mistake
    one_hot = F.one_hot(best, num_classes=v.shape[0]).movedim(-1, 0).to(v.dtype)  # <- mistake
    h = (one_hot.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": one_hot}
