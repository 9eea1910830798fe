# verdict: accepted
from functools import wraps

import torch


def in_at_least_float32(function):
    @wraps(function)
    def wrapper(*tensors, **options):
        given = tensors[0].dtype
        wide = torch.promote_types(given, torch.float32)
        out = function(*(t.to(wide) for t in tensors), **options)
        return {name: value.to(given) for name, value in out.items()}

    return wrapper


@in_at_least_float32
def _read(e, f, w, *, eps):
    match f.shape[0]:
        case 0:
            return {
                "retrieved_representation": e.clone(),
                "attention_weights": e.new_ones((1, *e.shape[:-1])),
            }
        case _:
            v = torch.cat([e[None], f])
            a = torch.softmax(v @ w / (ms := v.pow(2).mean(-1) + eps).sqrt(), 0)
            assert ms.shape == a.shape
            return {
                "retrieved_representation": torch.linalg.vecdot(
                    v, a.unsqueeze(-1).expand_as(v), dim=0
                ),
                "attention_weights": a,
            }


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return _read(embedding, previous_outputs, pseudo_query, eps=eps)
