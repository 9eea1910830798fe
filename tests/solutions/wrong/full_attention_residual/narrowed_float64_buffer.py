# verdict: wrong_answer
# traps: narrowed_float64
"""A float32 buffer for the logits: what is written into it is rounded, and the softmax is cast back."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding, *previous_outputs]
    shape = (len(sources),) + embedding.shape[:2]
    logits = torch.empty(shape, dtype=torch.float32, device=embedding.device)  # <- mistake
    for i, s in enumerate(sources):
        logits[i] = (s / torch.sqrt(s.square().mean(-1, keepdim=True) + eps)) @ pseudo_query
    alpha = logits.softmax(0).to(embedding.dtype)
    mixed = sum(a.unsqueeze(-1) * s for a, s in zip(alpha, sources))
    return {"retrieved_representation": mixed, "attention_weights": alpha}
