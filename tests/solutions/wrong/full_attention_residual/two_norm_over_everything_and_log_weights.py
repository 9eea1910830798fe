# verdict: wrong_answer
# traps: norm_over_everything, log_weights
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    x = torch.cat([embedding[None], previous_outputs]).to(wide)
    rms = torch.sqrt((x**2).mean() + eps)  # <- mistake
    log_p = F.log_softmax((x / rms) @ pseudo_query.to(wide), dim=0)
    mixed = (log_p.exp()[..., None] * x).sum(0)
    result = {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": log_p.to(embedding.dtype),  # <- mistake
    }
    return result
