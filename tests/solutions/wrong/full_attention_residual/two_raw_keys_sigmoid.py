# verdict: wrong_answer
# traps: unnormalized_keys, sigmoid_weights
"""A learned gate for each source, as in a highway network: sigmoid(w . v), no norm."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    up = torch.promote_types(dtype, torch.float32)
    w = pseudo_query.to(up)
    gates, h = [], 0
    for v in (embedding, *previous_outputs):
        v = v.to(up)
        z = v @ w  # <- mistake
        g = torch.sigmoid(z)  # <- mistake
        gates.append(g)
        h = h + g.unsqueeze(-1) * v
    return {"retrieved_representation": h.to(dtype), "attention_weights": torch.stack(gates).to(dtype)}
