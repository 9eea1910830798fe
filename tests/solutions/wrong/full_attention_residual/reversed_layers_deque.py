# verdict: wrong_answer
# traps: reversed_layers
"""A deque filled from the left, newest in front, before the embedding is put at its head."""
from collections import deque

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    queue = deque()
    for output in previous_outputs:
        queue.appendleft(output)  # <- mistake
    queue.appendleft(embedding)
    src = torch.stack(tuple(queue))
    k = src.div(src.square().mean(dim=-1, keepdim=True).add(eps).sqrt())
    a = k.matmul(pseudo_query).softmax(dim=0)
    return {"retrieved_representation": a.unsqueeze(-1).mul(src).sum(dim=0), "attention_weights": a}
