# verdict: accepted
import math

import torch

LOG2_E = 1.0 / math.log(2.0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # base 2 exponentials as in the GPU kernels, log2(e) folded into the query
    wide = torch.promote_types(embedding.dtype, torch.float32)
    q = pseudo_query.to(wide) * LOG2_E
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).to(wide)
    s = torch.einsum("sbtd,d->sbt", x, q) * torch.rsqrt(x.pow(2).mean(-1) + eps)
    p = torch.exp2(s - s.amax(dim=0, keepdim=True))
    o = torch.einsum("sbt,sbtd->btd", p, x)
    z = p.sum(dim=0)
    return {
        "retrieved_representation": (o / z[..., None]).to(embedding.dtype),
        "attention_weights": (p / z).to(embedding.dtype),
    }
