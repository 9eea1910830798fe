# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)

    mean_of_squares = torch.mean(sources * sources, dim=-1, keepdim=True)
    rms = torch.sqrt(mean_of_squares + eps)
    keys = sources * torch.rsqrt(rms)  # <- mistake

    logits = torch.einsum("nbtd,d->nbt", keys, pseudo_query)
    weights = torch.softmax(logits, dim=0)
    retrieved = torch.einsum("nbt,nbtd->btd", weights, sources)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
