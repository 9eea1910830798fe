# verdict: accepted
"""functools.partial binds the axis and the normalised shape."""
from functools import partial

import torch
import torch.nn.functional as F

softmax_over_depth = partial(torch.softmax, dim=0)
sum_over_depth = partial(torch.sum, dim=0)
join = partial(torch.cat, dim=0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    normalize = partial(F.rms_norm, normalized_shape=(embedding.shape[-1],), eps=eps)
    values = join([embedding.unsqueeze(0), previous_outputs])
    weights = softmax_over_depth(F.linear(normalize(values), pseudo_query.unsqueeze(0)).squeeze(-1))
    return {
        "retrieved_representation": sum_over_depth(values * weights.unsqueeze(-1)),
        "attention_weights": weights,
    }
