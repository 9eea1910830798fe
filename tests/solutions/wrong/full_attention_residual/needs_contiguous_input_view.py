# verdict: runtime_error
# traps: needs_contiguous_input
"""`.view` on the arguments, which raises for strided ones."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    layers = previous_outputs.view(L, B * T, D)  # <- mistake
    flat = torch.cat([embedding.view(1, B * T, D), layers])
    keys = flat / torch.sqrt(flat.square().mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys @ pseudo_query, dim=0)
    mixed = (weights.unsqueeze(-1) * flat).sum(0)
    return {
        "retrieved_representation": mixed.view(B, T, D),
        "attention_weights": weights.view(L + 1, B, T),
    }
