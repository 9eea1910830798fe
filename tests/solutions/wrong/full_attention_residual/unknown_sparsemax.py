# verdict: wrong_answer
import torch


def sparsemax(z: torch.Tensor) -> torch.Tensor:
    """Project onto the simplex along the first axis."""
    n = z.shape[0]
    z = z - z.amax(dim=0, keepdim=True)
    z_sorted = torch.sort(z, dim=0, descending=True).values
    rank = torch.arange(1, n + 1, device=z.device, dtype=z.dtype).reshape(-1, 1, 1)
    cumulative = z_sorted.cumsum(dim=0)
    support = (1 + rank * z_sorted) > cumulative
    k = support.sum(dim=0, keepdim=True)
    tau = (cumulative.gather(0, k - 1) - 1) / k
    return torch.clamp(z - tau, min=0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    logits = torch.einsum("sbtd,d->sbt", k, pseudo_query)
    p = sparsemax(logits)  # <- mistake
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", p, v),
        "attention_weights": p,
    }
