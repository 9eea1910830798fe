# verdict: wrong_answer
"""ALiBi over depth: each step into the past costs a tenth."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    age = torch.arange(v.shape[0] - 1, -1, -1, device=v.device, dtype=v.dtype).reshape(-1, 1, 1)
    logits = k @ pseudo_query - 0.1 * age  # <- mistake
    a = logits.softmax(0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", a, v), "attention_weights": a}
