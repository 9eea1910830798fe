# verdict: wrong_answer | runtime_error
# traps: mutated_inputs
"""Writes through slices and `out=` into the arguments as scratch space, after the result is done."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stack = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    inv = torch.rsqrt(stack.square().mean(dim=-1, keepdim=True) + eps)
    weights = torch.softmax((stack * inv).matmul(pseudo_query), dim=0)
    weighted = weights.unsqueeze(-1) * stack

    # running total over depth; the last one is the answer
    torch.add(weighted[0], 0.0, out=embedding)  # <- mistake
    for i in range(previous_outputs.shape[0]):
        previous_outputs[i] = weighted[: i + 2].sum(0)
    total = previous_outputs[-1] if len(previous_outputs) else embedding
    return {"retrieved_representation": total.clone(), "attention_weights": weights}
