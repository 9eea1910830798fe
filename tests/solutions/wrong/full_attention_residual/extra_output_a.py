# verdict: wrong_answer
# traps: extra_output
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    up = torch.promote_types(dtype, torch.float32)
    out = {}
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(up)
    keys = F.rms_norm(sources, normalized_shape=(sources.shape[-1],), eps=eps)
    logits = keys @ pseudo_query.to(up)
    weights = F.softmax(logits, dim=0)
    out["retrieved_representation"] = torch.sum(sources * weights.unsqueeze(-1), dim=0).to(dtype)
    out["attention_weights"] = weights.to(dtype)
    out["logits"] = logits.to(dtype)  # <- mistake
    return out
