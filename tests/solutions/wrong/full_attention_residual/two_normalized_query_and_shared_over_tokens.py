# verdict: wrong_answer
# traps: normalized_query, shared_over_tokens
import torch


def rms_normalize(x: torch.Tensor, eps: float) -> torch.Tensor:
    return x * (x.square().mean(dim=-1, keepdim=True) + eps).rsqrt()


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    q, k = rms_normalize(pseudo_query, eps), rms_normalize(sources, eps)  # <- mistake
    logits = torch.einsum("sbtd,d->sbt", k, q)
    per_layer = logits.mean(dim=(1, 2))  # <- mistake
    alpha = torch.softmax(per_layer, dim=0)
    out = torch.einsum("s,sbtd->btd", alpha, sources)
    weights = alpha[:, None, None].expand(-1, embedding.shape[0], embedding.shape[1])
    return {"retrieved_representation": out, "attention_weights": weights}
