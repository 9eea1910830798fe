# verdict: wrong_answer
# traps: norm_over_tokens, double_softmax
"""The norm has the wrong axis, and a softmax of scores that a helper made probabilities already."""
import torch
import torch.nn.functional as F


def depth_scores(stack, query, eps):
    scale = torch.rsqrt(stack.square().mean(dim=-2, keepdim=True) + eps)  # <- mistake
    return F.softmax((stack * scale).matmul(query), dim=0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stack = torch.cat([embedding.unsqueeze(0), previous_outputs])
    attn = F.softmax(depth_scores(stack, pseudo_query, eps), dim=0)  # <- mistake
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", attn, stack), "attention_weights": attn}
