# verdict: wrong_answer
# traps: eps_hard_coded
"""A literal 1e-6 in the formula; the argument has no effect."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def attend(sources):
        keys = sources * torch.rsqrt(sources.pow(2).mean(-1, keepdim=True) + 1e-6)  # <- mistake
        return (keys @ pseudo_query).softmax(0)

    sources = torch.cat([embedding[None], previous_outputs])
    weights = attend(sources)
    return {
        "retrieved_representation": torch.sum(weights[..., None] * sources, 0),
        "attention_weights": weights,
    }
