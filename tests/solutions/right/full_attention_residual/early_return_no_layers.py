# verdict: accepted
"""Without layers it returns the embedding itself and an expanded one: no copy, and no path to the query."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L = previous_outputs.shape[0]
    B, T, D = embedding.shape
    if L == 0:
        # a softmax over one source is 1 whatever its logit
        return {
            "retrieved_representation": embedding,
            "attention_weights": embedding.new_ones(()).expand(1, B, T),
        }

    v = torch.empty(L + 1, B, T, D, dtype=embedding.dtype, device=embedding.device)
    v[0] = embedding
    v[1:] = previous_outputs
    k = v * (v.square().mean(-1, keepdim=True) + eps) ** -0.5
    a = torch.softmax(torch.matmul(k, pseudo_query), 0)
    return {"retrieved_representation": (a[..., None] * v).sum(0), "attention_weights": a}
