# verdict: wrong_answer
# traps: embedding_last
"""Fills a buffer by index: layers in rows 0 to L - 1, and the embedding in the row that is left."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    depth = len(previous_outputs)
    bank = torch.empty((depth + 1, *embedding.shape), dtype=embedding.dtype, device=embedding.device)
    for i in range(depth):
        bank[i] = previous_outputs[i]
    bank[depth] = embedding  # <- mistake
    norm = torch.sqrt(torch.mean(bank * bank, dim=-1) + eps)
    logits = (bank * pseudo_query).sum(-1) / norm
    weights = logits.softmax(dim=0)
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * bank).sum(dim=0),
        "attention_weights": weights,
    }
