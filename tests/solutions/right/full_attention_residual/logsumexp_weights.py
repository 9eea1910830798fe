# verdict: accepted
"""Weights as exp(logit - logsumexp); the logarithms of half inputs are kept in float32."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    src = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    z = torch.einsum('...d,d->...', src * torch.rsqrt(src.square().mean(-1, True) + eps), pseudo_query)
    z = z.to(torch.promote_types(z.dtype, torch.float32))
    log_alpha = z - torch.logsumexp(z, dim=0, keepdim=True)
    alpha = log_alpha.exp().to(src.dtype)
    return {'retrieved_representation': torch.einsum('s...,s...d->...d', alpha, src), 'attention_weights': alpha}
