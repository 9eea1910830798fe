# verdict: accepted
import torch


class _Read(torch.autograd.Function):
    """The read with its gradient by hand."""

    @staticmethod
    def forward(ctx, sources, query, eps):
        r = torch.rsqrt(sources.square().mean(-1) + eps)
        raw = sources @ query
        a = torch.softmax(raw * r, dim=0)
        h = torch.einsum("sbt,sbtd->btd", a, sources)
        ctx.save_for_backward(sources, query, r, raw, a)
        return h, a

    @staticmethod
    def backward(ctx, grad_h, grad_a):
        v, w, r, raw, a = ctx.saved_tensors
        da = torch.einsum("btd,sbtd->sbt", grad_h, v) + grad_a
        dl = a * (da - (a * da).sum(0))
        dv = a.unsqueeze(-1) * grad_h
        dv = dv + (dl * r).unsqueeze(-1) * w
        dv = dv - (dl * raw * r**3 / v.shape[-1]).unsqueeze(-1) * v
        dw = torch.einsum("sbt,sbtd->d", dl * r, v)
        return dv, dw, None


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(wide)
    h, a = _Read.apply(sources, pseudo_query.to(wide), eps)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": a.to(embedding.dtype),
    }
