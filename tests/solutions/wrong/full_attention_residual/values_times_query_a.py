# verdict: wrong_answer
# traps: values_times_query
import torch
from torch.func import grad


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    up = torch.promote_types(embedding.dtype, torch.float32)
    values = torch.cat([embedding[None], previous_outputs]).to(up)
    query = pseudo_query.to(up)

    keys = values * torch.rsqrt(values.square().mean(-1, keepdim=True) + eps)
    logits = keys @ query
    # the gradient of log-sum-exp is softmax
    weights = grad(lambda l: torch.logsumexp(l, dim=0).sum())(logits)

    contributions = weights.unsqueeze(-1) * (values * query)  # <- mistake
    return {
        "retrieved_representation": contributions.sum(0).to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
