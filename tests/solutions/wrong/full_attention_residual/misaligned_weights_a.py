# verdict: wrong_answer
# traps: misaligned_weights
import torch
from torch import Tensor


def make_keys(embedding: Tensor, layers: Tensor, eps: float) -> Tensor:
    def rms_norm(x: Tensor) -> Tensor:
        return x / torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)

    return torch.cat([rms_norm(embedding).unsqueeze(0), rms_norm(layers)], dim=0)


def make_values(embedding: Tensor, layers: Tensor) -> Tensor:
    return torch.cat([layers, embedding.unsqueeze(0)], dim=0)  # <- mistake


def attend(query: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    weights = torch.softmax(torch.einsum("d,sbtd->sbt", query, keys), dim=0)
    return torch.einsum("sbt,sbtd->btd", weights, values), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = torch.promote_types(embedding.dtype, torch.float32)
    e, f, q = embedding.to(dtype), previous_outputs.to(dtype), pseudo_query.to(dtype)
    mixed, weights = attend(q, make_keys(e, f, eps), make_values(e, f))
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
