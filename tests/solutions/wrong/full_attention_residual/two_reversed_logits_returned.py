# verdict: wrong_answer
# traps: reversed_layers, logits_as_weights
"""Walks down from the newest layer, and returns the scores."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    srcs = [embedding]
    for i in range(len(previous_outputs) - 1, -1, -1):  # <- mistake
        srcs.append(previous_outputs[i])
    scores = torch.stack([(s / (s.pow(2).mean(-1, True) + eps).sqrt()) @ pseudo_query for s in srcs])
    probs = scores.softmax(0)
    h = sum(p.unsqueeze(-1) * s for p, s in zip(probs, srcs))
    return {"retrieved_representation": h, "attention_weights": scores}  # <- mistake
