# verdict: wrong_answer
# traps: unnormalized_exponentials, normalized_output
"""Leaves out the division of the softmax, 'since the norm at the end takes care of the size'."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    bank = torch.cat([embedding.unsqueeze(0), previous_outputs])
    shape = bank.shape[-1:]
    logits = F.rms_norm(bank, shape, eps=eps) @ pseudo_query
    e = torch.exp(logits - logits.amax(0))  # <- mistake
    h = (e.unsqueeze(-1) * bank).sum(0)
    return {"retrieved_representation": F.rms_norm(h, shape, eps=eps), "attention_weights": e}  # <- mistake
