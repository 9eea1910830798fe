# verdict: accepted
"""An object with __call__ does the work; the entry is a thin def around it."""

import torch


class DepthReader:
    def __init__(self, query, eps):
        self.query = query
        self.eps = eps

    def key(self, v):
        return v / torch.sqrt(self.eps + torch.mean(v ** 2, -1, True))

    def __call__(self, e, fs):
        vs = [e] + list(fs)
        self.logits = torch.stack([self.key(v) @ self.query for v in vs])
        self.alpha = torch.softmax(self.logits, 0)
        return sum(a[:, :, None] * v for a, v in zip(self.alpha, vs))


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    reader = DepthReader(pseudo_query, eps)
    h = reader(embedding, previous_outputs)
    return {"retrieved_representation": h, "attention_weights": reader.alpha}
