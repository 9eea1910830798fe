# verdict: wrong_answer
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    work = torch.promote_types(dtype, torch.float32)
    e, f, w = embedding.to(work), previous_outputs.to(work), pseudo_query.to(work)

    v = torch.cat([e.unsqueeze(0), f], dim=0)
    k = F.rms_norm(v, (v.shape[-1],), weight=w, eps=eps)  # <- mistake
    logits = torch.einsum("sbtd,d->sbt", k, w)
    alpha = logits.softmax(dim=0)
    h = torch.einsum("sbt,sbtd->btd", alpha, v)
    return {"retrieved_representation": h.to(dtype), "attention_weights": alpha.to(dtype)}
