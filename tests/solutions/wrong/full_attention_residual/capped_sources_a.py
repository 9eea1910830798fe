# verdict: wrong_answer
# traps: capped_sources
from collections import deque

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    comp = torch.promote_types(embedding.dtype, torch.float32)
    q = pseudo_query.to(comp)

    window = deque(maxlen=32)  # <- mistake
    window.append(embedding.to(comp))
    window.extend(x.to(comp) for x in previous_outputs)

    logits = []
    while len(logits) < len(window):
        v = window[len(logits)]
        r = (v * v).mean(-1).add(eps).rsqrt()
        logits.append(torch.einsum("btd,d,bt->bt", v, q, r))

    alpha = torch.stack(logits).softmax(0)
    h = torch.zeros_like(window[0])
    for a, v in zip(alpha.unbind(), window):
        h = torch.addcmul(h, a.unsqueeze(-1), v)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": alpha.to(embedding.dtype),
    }
