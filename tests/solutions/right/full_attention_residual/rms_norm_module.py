# verdict: accepted
"""An nn.RMSNorm layer without gain, made anew in each call."""
import torch
from torch import nn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    norm = nn.RMSNorm(embedding.shape[-1], eps=eps, elementwise_affine=False)

    all_sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    logits = torch.matmul(norm(all_sources), pseudo_query)      # (L+1, B, T)
    attn = nn.Softmax(dim=0)(logits)
    out = torch.einsum('lbt,lbtd->btd', attn, all_sources)

    return {
        'retrieved_representation': out,
        'attention_weights': attn,
    }
