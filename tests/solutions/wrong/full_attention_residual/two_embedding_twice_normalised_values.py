# verdict: wrong_answer
# traps: embedding_twice, normalized_values
"""Prepends the embedding to a list that has it, and mixes what it has scored."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def rms_norm(t):
        return t * torch.rsqrt(t.square().mean(-1, keepdim=True) + eps)

    residual_stream = [embedding, *previous_outputs]
    normed = [rms_norm(t) for t in [embedding] + residual_stream]  # <- mistake
    weights = torch.stack([t @ pseudo_query for t in normed]).softmax(dim=0)
    mixed = torch.stack(normed).mul(weights.unsqueeze(-1)).sum(dim=0)  # <- mistake
    return {"retrieved_representation": mixed, "attention_weights": weights}
