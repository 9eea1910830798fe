# verdict: wrong_answer
# traps: embedding_last
"""The embedding is appended after the layers, so only the weights come out in another order."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([previous_outputs, embedding.unsqueeze(0)], dim=0)  # <- mistake
    k = v * (v.pow(2).mean(-1, keepdim=True) + eps).rsqrt()
    a = (k * pseudo_query).sum(-1).softmax(0)
    return dict(retrieved_representation=(a[..., None] * v).sum(0), attention_weights=a)
