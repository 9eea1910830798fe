# verdict: wrong_answer
# traps: log_weights
"""l - logsumexp(l) is called the normalised logits, and returned."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    srcs = [embedding, *previous_outputs]
    l = torch.stack([s @ pseudo_query * (s.square().mean(-1) + eps).rsqrt() for s in srcs])
    normalised = l - l.logsumexp(dim=0)
    h = sum(torch.exp(n).unsqueeze(-1) * s for n, s in zip(normalised, srcs))
    return dict(retrieved_representation=h, attention_weights=normalised)  # <- mistake
