# verdict: wrong_answer
# traps: double_softmax
import torch
import torch.nn.functional as F


def depth_scores(values, query, eps):
    """How much each source matters to each token; (S, B, T), sums to one over S."""
    keys = F.rms_norm(values, values.shape[-1:], eps=eps)
    return F.softmax(torch.matmul(keys, query), dim=0)


def depth_mix(scores, values):
    """Average of the sources, weighted by the scores."""
    weights = F.softmax(scores, dim=0)  # <- mistake
    return torch.einsum("sbt,sbtd->btd", weights, values), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    if dtype in (torch.float16, torch.bfloat16):
        embedding, previous_outputs, pseudo_query = map(
            torch.Tensor.float, (embedding, previous_outputs, pseudo_query)
        )
    values = torch.cat([embedding.unsqueeze(dim=0), previous_outputs], dim=0)
    mixed, weights = depth_mix(depth_scores(values, pseudo_query, eps), values)
    return {"retrieved_representation": mixed.to(dtype), "attention_weights": weights.to(dtype)}
