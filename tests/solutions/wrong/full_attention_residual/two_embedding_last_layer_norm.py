# verdict: wrong_answer
# traps: embedding_last, layer_norm_keys
"""A list that ends with the embedding, and nn.LayerNorm for the keys."""
import torch
from torch import nn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    ln = nn.LayerNorm(embedding.shape[-1], eps=eps, elementwise_affine=False)
    sources = [*previous_outputs, embedding]  # <- mistake
    scores = torch.stack([torch.matmul(ln(s), pseudo_query) for s in sources])  # <- mistake
    alphas = scores.softmax(dim=0)
    retrieved = torch.zeros_like(embedding)
    for alpha, source in zip(alphas, sources):
        retrieved = retrieved + alpha.unsqueeze(-1) * source
    return {"retrieved_representation": retrieved, "attention_weights": alphas}
