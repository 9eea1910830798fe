# verdict: wrong_answer
# traps: recency_bias
"""The newest source's exponential is tripled before the division, which is a bias of log 3."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = [embedding] + list(previous_outputs)
    logits = torch.stack(
        [(v / (v.square().mean(-1, keepdim=True) + eps).sqrt()).matmul(pseudo_query) for v in values]
    )
    e = list(torch.exp(logits - logits.amax(0)))
    e[-1] = 3 * e[-1]  # <- mistake
    total = torch.stack(e).sum(0)
    alpha = [x / total for x in e]
    h = torch.zeros_like(embedding)
    for a, v in zip(alpha, values):
        h = torch.addcmul(h, a.unsqueeze(-1), v)
    return {"retrieved_representation": h, "attention_weights": torch.stack(alpha)}
