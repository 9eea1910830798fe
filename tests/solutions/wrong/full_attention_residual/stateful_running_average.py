# verdict: wrong_answer
# traps: stateful
"""Keeps a running average of the RMS over calls, as BatchNorm does; only the first call is right."""

import torch


class RunningRMS:
    def __init__(self, momentum=0.1):
        self.momentum = momentum
        self.average = None

    def __call__(self, x, eps):
        rms = torch.sqrt(x.square().mean(-1, keepdim=True) + eps)
        if self.average is not None:
            rms = (1 - self.momentum) * rms + self.momentum * self.average  # <- mistake
        self.average = float(rms.detach().mean())
        return x / rms


norm = RunningRMS()


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    a = torch.softmax(norm(v, eps) @ pseudo_query, dim=0)
    return {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a}
