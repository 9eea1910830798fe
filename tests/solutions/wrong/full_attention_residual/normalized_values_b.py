# verdict: wrong_answer
# traps: normalized_values
from functools import reduce

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    calc = torch.float64 if dtype == torch.float64 else torch.float32
    w = pseudo_query.to(calc)

    def as_source(v):
        v = v.to(calc)
        k = v.mul((v.mul(v).mean(-1, keepdim=True) + eps).rsqrt())
        return k, k @ w  # <- mistake

    def fold(state, layer):
        """Merge one more source into (mix, log of the mass, logits so far)."""
        mix, log_mass, logits = state
        value, logit = as_source(layer)
        total = torch.logaddexp(log_mass, logit)
        mix = torch.lerp(mix, value, (logit - total).exp().unsqueeze(-1))
        return mix, total, (*logits, logit)

    value, logit = as_source(embedding)
    mix, log_mass, logits = reduce(fold, previous_outputs, (value, logit, (logit,)))
    weights = torch.exp(torch.stack(logits) - log_mass)
    return {"retrieved_representation": mix.to(dtype), "attention_weights": weights.to(dtype)}
