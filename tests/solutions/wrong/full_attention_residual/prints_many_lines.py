# verdict: wrong_answer | output_limit
"""Prints 2,000 lines of debug text before a wrong result (the weights are uniform): what is cut must be said to be cut."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    for i in range(2000):
        print(f"[debug {i:04d}] source {i % len(v)} of {len(v)}, shape {tuple(v.shape)}")
    a = torch.full_like(v[..., 0], 1.0 / len(v))
    return {"retrieved_representation": v.mean(0), "attention_weights": a}
