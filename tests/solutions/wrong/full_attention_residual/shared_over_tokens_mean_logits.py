# verdict: wrong_answer
# traps: shared_over_tokens
"""One weight for a layer: the logits are averaged over batch and tokens before the softmax."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    S, B, T, D = sources.shape
    keys = sources / torch.sqrt(sources.square().mean(-1, keepdim=True) + eps)
    per_layer = (keys @ pseudo_query).mean(dim=(1, 2))  # <- mistake
    alpha = torch.softmax(per_layer, dim=0)
    mixed = torch.tensordot(alpha, sources, dims=1)
    return {
        "retrieved_representation": mixed,
        "attention_weights": alpha.view(S, 1, 1).expand(S, B, T),
    }
