# verdict: accepted
import math

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    acc = torch.promote_types(dtype, torch.float32)
    v = torch.cat([embedding[None], previous_outputs]).to(acc)
    w = pseudo_query.to(acc)
    d = v.shape[-1]
    # sqrt(mean + eps) is the hypotenuse of the RMS and sqrt(eps)
    rms = torch.linalg.vector_norm(v, dim=-1) / math.sqrt(d)
    length = torch.hypot(rms, torch.full_like(rms, math.sqrt(eps)))
    logits = torch.matmul(v, w) / length
    log_alpha = torch.log_softmax(logits, dim=0)
    alpha = log_alpha.exp()
    h = torch.einsum("sbt,sbtd->btd", alpha, v)
    return {"retrieved_representation": h.to(dtype), "attention_weights": alpha.to(dtype)}
