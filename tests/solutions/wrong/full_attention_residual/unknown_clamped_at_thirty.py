# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = sources * (sources.pow(2).mean(-1, keepdim=True) + eps).rsqrt()
    logits = keys @ pseudo_query
    # keep exp() from overflowing
    logits = logits.clamp(-30, 30)  # <- mistake
    weights = torch.softmax(logits, dim=0)
    out = (weights.unsqueeze(-1) * sources).sum(0)
    return {"retrieved_representation": out, "attention_weights": weights}
