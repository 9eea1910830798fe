# verdict: wrong_answer
# traps: norm_from_embedding, unnormalized_exponentials
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # one scale for each token, so that all of its sources stay comparable
    scale = torch.rsqrt(embedding.pow(2).mean(-1, keepdim=True) + eps)  # <- mistake

    sources = [embedding]
    sources.extend(previous_outputs)
    logits = torch.stack([((s * scale) * pseudo_query).sum(-1) for s in sources])

    top = logits.max(dim=0, keepdim=True).values
    weights = torch.exp(logits - top)  # <- mistake

    out = torch.einsum("sbt,sbtd->btd", weights, torch.stack(sources))
    return {"retrieved_representation": out, "attention_weights": weights}
