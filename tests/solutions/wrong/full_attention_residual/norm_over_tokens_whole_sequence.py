# verdict: wrong_answer
# traps: norm_over_tokens
"""F.rms_norm with the last two sizes as its shape: one norm for a whole sequence."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h = [embedding] + [o for o in previous_outputs]
    logits = [F.rms_norm(x, tuple(embedding.shape[1:]), eps=eps) @ pseudo_query for x in h]  # <- mistake
    alpha = F.softmax(torch.stack(logits), dim=0)
    return {
        "retrieved_representation": sum(a[:, :, None] * x for a, x in zip(alpha, h)),
        "attention_weights": alpha,
    }
