# verdict: wrong_answer | runtime_error
# traps: wrong_device
"""The accumulator is made on the CPU whatever the inputs' device is: right on CPU, seen on meta or CUDA only."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = sources / torch.sqrt(sources.pow(2).mean(-1, keepdim=True) + eps)
    alpha = torch.softmax(keys @ pseudo_query, dim=0)

    h = torch.zeros(embedding.shape, dtype=embedding.dtype)  # <- mistake
    for a, v in zip(alpha, sources):
        h = h + a.unsqueeze(-1) * v
    return {"retrieved_representation": h, "attention_weights": alpha}
