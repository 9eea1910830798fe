# verdict: wrong_answer
# traps: returned_tuple
"""Returns a list of the two tensors."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    vs = [embedding] + list(previous_outputs)
    ls = torch.stack([v @ pseudo_query / torch.sqrt(v.square().mean(-1) + eps) for v in vs])
    alphas = ls.softmax(0)
    result = []
    result.append(sum(a.unsqueeze(-1) * v for a, v in zip(alphas, vs)))
    result.append(alphas)
    return result
