# verdict: accepted
"""A custom autograd.Function with gradients derived by hand, for both outputs."""

import torch


class DepthRead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values, query, eps):
        inv_rms = torch.rsqrt(values.square().mean(-1) + eps)
        logits = (values * query).sum(-1) * inv_rms
        weights = torch.softmax(logits, dim=0)
        ctx.save_for_backward(values, query, inv_rms, weights)
        return (weights.unsqueeze(-1) * values).sum(0), weights

    @staticmethod
    def backward(ctx, grad_mix, grad_weights):
        v, w, r, a = ctx.saved_tensors
        d = v.shape[-1]
        da = (grad_mix * v).sum(-1) + grad_weights
        ds = a * (da - (a * da).sum(0))
        # through s = r * (v . w) with r = (mean v^2 + eps)^(-1/2)
        vw = (v * w).sum(-1)
        dv = a.unsqueeze(-1) * grad_mix
        dv = dv + (ds * r).unsqueeze(-1) * w
        dv = dv - (ds * r.pow(3) * vw / d).unsqueeze(-1) * v
        dw = ((ds * r).unsqueeze(-1) * v).sum((0, 1, 2))
        return dv, dw, None


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    mix, weights = DepthRead.apply(values, pseudo_query, eps)
    return {"retrieved_representation": mix, "attention_weights": weights}
