# verdict: wrong_answer
# traps: softmax_over_tokens
import torch


def _stack_sources(e, fs):
    return torch.stack([e, *fs.unbind(0)], dim=1)  # b s t d


def _keys(v, eps):
    return v * (v.square().mean(dim=-1, keepdim=True) + eps).rsqrt()


def _scores(k, w):
    return torch.einsum("b s t d, d -> b s t", k, w)


def _weights(scores):
    return scores.softmax(dim=2)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = _stack_sources(embedding, previous_outputs)
    a = _weights(_scores(_keys(v, eps), pseudo_query))
    h = torch.einsum("b s t, b s t d -> b t d", a, v)
    return {"retrieved_representation": h, "attention_weights": a.transpose(0, 1)}
