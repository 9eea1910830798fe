# verdict: wrong_answer
# traps: phantom_zero_source
import torch


def softmax_with_sink(logits, dim):
    """exp(l_i) / (1 + sum_j exp(l_j)), so that a reader may attend to nothing."""
    mass = torch.logsumexp(logits, dim=dim, keepdim=True)
    mass = torch.logaddexp(mass, torch.zeros_like(mass))  # <- mistake
    return torch.exp(logits - mass)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dt = embedding.dtype
    e, f, w = embedding.double(), previous_outputs.double(), pseudo_query.double()
    v = torch.concatenate([torch.unsqueeze(e, 0), f], axis=0)
    k = v / torch.sqrt(torch.mean(torch.square(v), axis=-1, keepdims=True) + eps)
    a = softmax_with_sink(torch.inner(k, w), dim=0)
    h = torch.sum(torch.multiply(torch.unsqueeze(a, -1), v), axis=0)
    return {"retrieved_representation": h.to(dt), "attention_weights": a.to(dt)}
