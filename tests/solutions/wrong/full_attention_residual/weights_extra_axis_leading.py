# verdict: wrong_answer
# traps: weights_extra_axis
"""The query as a batch of one reader: a leading 1 remains on the weights, and not on the result."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    queries = pseudo_query.unsqueeze(0)  # (R, D), R = 1 reader
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    weights = torch.einsum("rd,sbtd->rsbt", queries, k).softmax(dim=1)
    reads = torch.einsum("rsbt,sbtd->rbtd", weights, v)
    return {"retrieved_representation": reads[0], "attention_weights": weights}  # <- mistake
