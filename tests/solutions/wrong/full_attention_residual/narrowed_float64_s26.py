# verdict: wrong_answer
# traps: narrowed_float64
import torch
from torch import Tensor


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    out_dtype = embedding.dtype

    sources = torch.cat([embedding[None], previous_outputs], dim=0)
    inv_rms = (sources.to(torch.promote_types(out_dtype, torch.float32)) ** 2).mean(-1)
    inv_rms = (inv_rms + eps).rsqrt()
    keys = sources * inv_rms[..., None].to(out_dtype)
    logits = torch.einsum("sbtd,d->sbt", keys, pseudo_query)
    weights = torch.softmax(logits, dim=0, dtype=torch.float32).to(out_dtype)  # <- mistake
    retrieved = torch.einsum("sbt,sbtd->btd", weights, sources)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
