# verdict: wrong_answer
# traps: missing_output
"""Forgets to give back the weights."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stack = torch.cat([embedding.unsqueeze(0), previous_outputs])
    normed = stack / torch.sqrt(stack.pow(2).mean(dim=-1, keepdim=True) + eps)
    attn = torch.softmax(normed @ pseudo_query, dim=0)
    result = {}
    result["retrieved_representation"] = torch.einsum("sbt,sbtd->btd", attn, stack)
    return result  # <- mistake
