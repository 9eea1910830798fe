# verdict: wrong_answer
# traps: reversed_layers
"""Inserts every layer right behind the embedding, which turns their order around."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = [embedding]
    for i in range(previous_outputs.size(0)):
        values.insert(1, previous_outputs[i])  # <- mistake

    logits = []
    for v in values:
        k = v / (v.square().mean(-1, True) + eps) ** 0.5
        logits.append(torch.sum(k * pseudo_query, -1))
    p = torch.softmax(torch.stack(logits, 0), 0)
    h = 0
    for i, v in enumerate(values):
        h = h + p[i].unsqueeze(2) * v
    return {"retrieved_representation": h, "attention_weights": p}
