# verdict: accepted
from torch import cat, einsum


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    out = embedding.dtype
    if out.itemsize < 4:
        embedding, previous_outputs, pseudo_query = (
            x.float() for x in (embedding, previous_outputs, pseudo_query)
        )
    v = cat([einsum("btd->btd", embedding)[None], previous_outputs])
    power = einsum("sbtd,sbtd->sbt", v, v) / v.shape[-1]
    logits = einsum("sbtd,d,sbt->sbt", v, pseudo_query, (power + eps).rsqrt())
    p = (logits - logits.amax(0)).exp()
    z = einsum("sbt->bt", p)
    alpha = einsum("sbt,bt->sbt", p, z.reciprocal())
    h = einsum("sbt,sbtd->btd", alpha, v)
    return {"retrieved_representation": h.to(out), "attention_weights": alpha.to(out)}
