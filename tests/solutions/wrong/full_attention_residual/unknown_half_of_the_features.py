# verdict: wrong_answer
"""A split into 'key half' and 'value half': only the first half of the features is scored."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    half = (v.shape[-1] + 1) // 2
    logits = torch.einsum("sbtd,d->sbt", k[..., :half], pseudo_query[:half])  # <- mistake
    p = logits.softmax(0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", p, v), "attention_weights": p}
