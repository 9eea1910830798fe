# verdict: output_limit
"""Ten megabytes of text in each call."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    line = "step " + "." * 994
    for _ in range(10_000):
        print(line)
    return {"retrieved_representation": torch.zeros_like(embedding), "attention_weights": previous_outputs}
