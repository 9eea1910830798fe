# verdict: wrong_answer
# traps: extra_output
"""Adds the logits to the result, as a kind of debugging aid."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = sources / torch.sqrt(torch.mean(sources ** 2, dim=-1, keepdim=True) + eps)
    logits = torch.matmul(keys, pseudo_query)
    weights = torch.softmax(logits, dim=0)
    return {
        "retrieved_representation": torch.sum(weights.unsqueeze(-1) * sources, dim=0),
        "attention_weights": weights,
        "logits": logits,  # <- mistake
    }
