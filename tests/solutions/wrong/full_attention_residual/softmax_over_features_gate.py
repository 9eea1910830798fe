# verdict: wrong_answer
# traps: softmax_over_features
"""The softmax before the sum: over the features of each product, and the sources are added up with these gates."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    gates, total = [], torch.zeros_like(embedding)
    for source in (embedding, *previous_outputs):
        key = F.rms_norm(source, source.shape[-1:], eps=eps)
        gate = F.softmax(key * pseudo_query, dim=-1)  # <- mistake
        total = total + gate * source
        gates.append(gate.mean(dim=-1))
    return {"retrieved_representation": total, "attention_weights": torch.stack(gates)}
