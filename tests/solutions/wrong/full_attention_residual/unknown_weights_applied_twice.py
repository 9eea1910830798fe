# verdict: wrong_answer
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = F.rms_norm(sources, (sources.size(-1),), eps=eps)
    logits = keys @ pseudo_query
    weights = torch.softmax(logits, dim=0)

    weighted_sources = weights.unsqueeze(-1) * sources
    retrieved = torch.einsum("sbt,sbtd->btd", weights, weighted_sources)  # <- mistake
    return {"retrieved_representation": retrieved, "attention_weights": weights}
