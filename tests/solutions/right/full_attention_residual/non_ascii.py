# verdict: accepted
"""Объяснение на русском, 日本語のコメント, and Greek names in the code — α = softmax(wᵀk)."""
import torch

ε_по_умолчанию = 1e-6  # как в условии


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=ε_по_умолчанию):
    # ソースを深さ方向に並べる(0番目は埋め込み)
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    # ключ: v / √(среднее v² + ε)
    σ = torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    α = torch.softmax((v / σ) @ pseudo_query, dim=0)
    print("Σα =", α.sum(0).shape, "✓ 🎯")
    return {"retrieved_representation": (α.unsqueeze(-1) * v).sum(0), "attention_weights": α}
