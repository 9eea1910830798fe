# verdict: wrong_answer
# traps: shared_over_tokens
"""Averages the weights over the sequence, so that all tokens of an item read alike."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    bank = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    logits = F.rms_norm(bank, bank.shape[-1:], eps=eps) @ pseudo_query
    weights = logits.softmax(dim=0).mean(dim=-1, keepdim=True)  # <- mistake
    weights = weights.repeat(1, 1, embedding.shape[1])
    read = torch.einsum("sbt,sbtd->btd", weights, bank)
    return {"retrieved_representation": read, "attention_weights": weights}
