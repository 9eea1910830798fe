# verdict: wrong_answer
# traps: missing_last_layer
import itertools

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    layers = previous_outputs.unbind(0)
    known = itertools.islice(layers, max(len(layers) - 1, 0))  # <- mistake
    sources = torch.stack(tuple(itertools.chain((embedding,), known)), dim=-1)  # (B, T, D, S)
    calc = sources.to(torch.promote_types(sources.dtype, torch.float32))
    keys = calc * (calc.square().mean(dim=-2, keepdim=True) + eps).rsqrt()
    logits = torch.tensordot(keys, pseudo_query.to(calc.dtype), dims=([-2], [0]))  # (B, T, S)
    weights = torch.nn.functional.softmax(logits, dim=-1)
    mixed = (calc @ weights.unsqueeze(-1)).squeeze(-1)
    return {
        "retrieved_representation": mixed.type_as(embedding),
        "attention_weights": weights.movedim(-1, 0).type_as(embedding),
    }
