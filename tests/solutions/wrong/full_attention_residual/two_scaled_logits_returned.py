# verdict: wrong_answer
# traps: scaled_by_sqrt_width, logits_as_weights
"""The scaled scores of a textbook attention are what is handed back."""
import math

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = torch.nn.functional.rms_norm(values, (values.shape[-1],), eps=eps)
    attention = torch.matmul(keys, pseudo_query) / math.sqrt(values.shape[-1])  # <- mistake
    output = (torch.softmax(attention, dim=0)[..., None] * values).sum(dim=0)
    return {"retrieved_representation": output, "attention_weights": attention}  # <- mistake
