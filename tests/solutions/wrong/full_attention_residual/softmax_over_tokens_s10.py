# verdict: wrong_answer
# traps: softmax_over_tokens
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # (L+1, B, T, D)
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = F.rms_norm(sources, sources.shape[-1:], eps=eps)
    logits = torch.matmul(keys, pseudo_query)  # (L+1, B, T)
    weights = F.softmax(logits, dim=-1)  # <- mistake
    h = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return {
        "retrieved_representation": h,
        "attention_weights": weights,
    }
