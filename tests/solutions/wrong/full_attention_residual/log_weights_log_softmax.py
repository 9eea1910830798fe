# verdict: wrong_answer
# traps: log_weights
"""log_softmax for stability; the exponential is taken for the mix, but not for what is returned."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    logits = F.rms_norm(values, values.shape[-1:], eps=eps) @ pseudo_query
    log_alpha = F.log_softmax(logits, dim=0)
    retrieved = torch.einsum("sbt,sbtd->btd", log_alpha.exp(), values)
    return {"retrieved_representation": retrieved, "attention_weights": log_alpha}  # <- mistake
