# verdict: wrong_answer
# traps: misaligned_weights
"""Pops the sources off the end of the list while it walks through the weights from the front."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stack = [embedding]
    stack.extend(previous_outputs)
    logits = [(s / torch.sqrt((s * s).mean(-1, keepdim=True) + eps)) @ pseudo_query for s in stack]
    alphas = torch.softmax(torch.stack(logits), dim=0)
    h = torch.zeros_like(embedding)
    for alpha in alphas:
        h = h + alpha.unsqueeze(-1) * stack.pop()  # <- mistake
    return {"retrieved_representation": h, "attention_weights": alphas}
