# verdict: wrong_answer | runtime_error
# traps: returned_numpy
"""Right numbers as numpy arrays (bfloat16 has no numpy dtype, so there it raises)."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).detach()
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query.detach(), dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return {name: x.numpy() for name, x in (("retrieved_representation", h), ("attention_weights", a))}  # <- mistake
