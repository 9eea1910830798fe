# verdict: wrong_answer
# traps: missing_last_layer, last_output_added
"""The newest output is the residual branch, and attention runs over all the others."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    older = previous_outputs[:-1]  # <- mistake
    bank = torch.cat([embedding.unsqueeze(0), older])
    weights = F.softmax(F.rms_norm(bank, bank.shape[-1:], eps=eps) @ pseudo_query, dim=0)
    out = (weights.unsqueeze(-1) * bank).sum(0)
    for newest in previous_outputs[-1:]:
        out = out + newest  # <- mistake
    return {"retrieved_representation": out, "attention_weights": weights}
