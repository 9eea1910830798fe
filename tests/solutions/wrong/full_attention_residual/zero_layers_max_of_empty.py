# verdict: runtime_error
# traps: zero_layers
"""Takes the maximum over the layers alone, which raises when there are none."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def score(x):
        return (x / torch.sqrt(x.square().mean(-1, keepdim=True) + eps)) @ pseudo_query

    s0, s = score(embedding), score(previous_outputs)
    top = torch.maximum(s0, s.amax(dim=0))  # <- mistake
    e0, e = torch.exp(s0 - top), torch.exp(s - top)
    total = e0 + e.sum(0)
    mixed = (e0.unsqueeze(-1) * embedding + (e.unsqueeze(-1) * previous_outputs).sum(0)) / total.unsqueeze(-1)
    return {
        "retrieved_representation": mixed,
        "attention_weights": torch.cat([e0.unsqueeze(0), e]) / total,
    }
