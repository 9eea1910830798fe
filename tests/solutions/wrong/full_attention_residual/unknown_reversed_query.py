# verdict: wrong_answer
"""A convolution for the dot product: the query comes in back to front."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = torch.nn.functional.rms_norm(v, (v.size(-1),), eps=eps)
    kernel = pseudo_query.flip(0)  # <- mistake
    a = (k @ kernel).softmax(0)  # <- mistake
    return dict(retrieved_representation=(a[..., None] * v).sum(0), attention_weights=a)
