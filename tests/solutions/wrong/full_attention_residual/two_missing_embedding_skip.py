# verdict: wrong_answer
# traps: missing_embedding, embedding_added
"""Attention over the layers, on top of the embedding as a skip connection."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    history = list(previous_outputs)  # <- mistake
    read = torch.zeros_like(embedding)
    weights = embedding.new_ones(0, *embedding.shape[:2])
    if history:
        scores = [F.rms_norm(f, f.shape[-1:], eps=eps) @ pseudo_query for f in history]
        weights = F.softmax(torch.stack(scores), dim=0)
        read = sum(w.unsqueeze(-1) * f for w, f in zip(weights, history))
    return {"retrieved_representation": embedding + read, "attention_weights": weights}  # <- mistake
