# verdict: wrong_answer
# traps: norm_over_everything
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    full = lambda t: t.to(torch.promote_types(t.dtype, torch.float32))
    normalise = lambda v: v / (v.pow(2).mean() + eps).sqrt()  # <- mistake
    score = lambda v: normalise(v) @ full(pseudo_query)
    vs = tuple(map(full, (embedding, *previous_outputs.unbind(0))))
    ws = torch.softmax(torch.stack(tuple(map(score, vs))), 0)
    back = lambda t: t.to(embedding.dtype)
    return {
        "retrieved_representation": back(sum(map(lambda a, v: a[..., None] * v, ws, vs))),
        "attention_weights": back(ws),
    }
