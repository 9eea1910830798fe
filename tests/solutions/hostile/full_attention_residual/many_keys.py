# verdict: wrong_answer | runtime_error | output_limit
"""A result with 100,000 keys, and a tensor under each."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    result = {f"logits_{i}": torch.zeros(1) for i in range(100_000)}
    result["retrieved_representation"] = torch.zeros_like(embedding)
    result["attention_weights"] = result["logits_0"]
    return result
