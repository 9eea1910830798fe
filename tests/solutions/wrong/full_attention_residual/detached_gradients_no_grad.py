# verdict: wrong_answer | runtime_error
# traps: detached_gradients
"""Computes the weights under no_grad, so the query gets no gradient at all."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    with torch.no_grad():  # <- mistake
        keys = sources / torch.sqrt(sources.square().mean(-1, keepdim=True) + eps)
        alpha = torch.softmax(keys @ pseudo_query, dim=0)
    mixed = (alpha.unsqueeze(-1) * sources).sum(0)
    return {"retrieved_representation": mixed, "attention_weights": alpha}
