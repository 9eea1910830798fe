# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = sources / (sources.square().mean(-1, keepdim=True) + eps).sqrt()
    alpha = torch.softmax(keys @ pseudo_query, dim=0)
    h = sources[0]
    for a, v in zip(alpha[1:], sources[1:]):
        a = a.unsqueeze(-1)
        h = (1 - a) * h + a * v  # <- mistake
    return {"retrieved_representation": h, "attention_weights": alpha}
