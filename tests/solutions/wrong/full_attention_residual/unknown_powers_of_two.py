# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding[None], previous_outputs], 0)
    inv_rms = v.pow(2).mean(-1).add(eps).rsqrt()
    s = torch.einsum("nbtd,d->nbt", v, pseudo_query) * inv_rms
    s_max = s.amax(0, keepdim=True)
    p = torch.exp2(s - s_max)  # <- mistake
    p = p / p.sum(0, keepdim=True)
    o = torch.einsum("nbt,nbtd->btd", p, v)
    return {"retrieved_representation": o, "attention_weights": p}
