# verdict: wrong_answer
# traps: nondeterministic
"""Attention dropout left on, since a function has no eval mode."""

import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    logits = F.rms_norm(sources, (sources.shape[-1],), eps=eps) @ pseudo_query
    weights = torch.softmax(logits, dim=0)
    weights = F.dropout(weights, p=0.1, training=True)  # <- mistake
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", weights, sources),
        "attention_weights": weights,
    }
