# verdict: wrong_answer
import torch


def read(query, keys, values):
    weights = torch.softmax(torch.einsum("d,sbtd->sbt", query, keys), dim=0)
    return weights, torch.einsum("sbt,sbtd->btd", weights, values)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    normed = sources * torch.rsqrt(sources.square().mean(dim=-1, keepdim=True) + eps)
    weights, by_direction = read(pseudo_query, normed, sources)
    _, by_size = read(pseudo_query, sources, sources)
    h = (by_direction + by_size) / 2  # <- mistake
    return {"retrieved_representation": h, "attention_weights": weights}
