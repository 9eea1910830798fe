# verdict: wrong_answer
# traps: missing_embedding
"""Depth attention by the library's fused kernel, over the layer outputs; without any, the embedding comes back."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    if L == 0:
        return {
            "retrieved_representation": embedding,
            "attention_weights": torch.ones_like(embedding[..., 0])[None],
        }
    V = previous_outputs.permute(1, 2, 0, 3)  # (B, T, L, D)  # <- mistake
    K = F.rms_norm(V, (D,), eps=eps)
    Q = pseudo_query.expand(B, T, 1, D)
    out = F.scaled_dot_product_attention(Q, K, V, scale=1.0)
    weights = (Q @ K.mT).squeeze(2).softmax(-1)
    return {"retrieved_representation": out.squeeze(2), "attention_weights": weights.permute(2, 0, 1)}
