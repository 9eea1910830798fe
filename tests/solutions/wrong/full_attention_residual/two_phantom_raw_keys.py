# verdict: wrong_answer
# traps: phantom_zero_source, unnormalized_keys
"""F.pad adds an empty slot for the layer to come, and raw dot products score all slots."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    filled = torch.cat([embedding.unsqueeze(0), previous_outputs])
    slots = F.pad(filled, (0, 0, 0, 0, 0, 0, 0, 1))  # <- mistake
    logits = slots @ pseudo_query  # <- mistake
    p = torch.softmax(logits, dim=0)
    return {
        "retrieved_representation": (p.unsqueeze(-1) * slots).sum(0),
        "attention_weights": p[: len(filled)],
    }
