# verdict: accepted
import torch
from torch.func import grad


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """The softmax is the gradient of logsumexp, so let autograd find it."""
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = v / torch.sqrt(torch.mean(v**2, dim=-1, keepdim=True) + eps)
    logits = torch.einsum("sbtd,d->sbt", k, pseudo_query)
    alpha = grad(lambda z: torch.logsumexp(z, dim=0).sum())(logits)
    h = torch.einsum("sbt,sbtd->btd", alpha, v)
    return {"retrieved_representation": h, "attention_weights": alpha}
