# verdict: wrong_answer
# traps: missing_root, softmax_over_batch
"""No square root in the norm, and batch-first logits with the softmax on axis 0."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    half = embedding.dtype in (torch.float16, torch.bfloat16)
    v = torch.stack([embedding, *previous_outputs], dim=1)  # (B, S, T, D)
    x = v.float() if half else v
    w = pseudo_query.float() if half else pseudo_query
    k = x / (x.square().mean(-1, keepdim=True) + eps)  # <- mistake
    a = torch.softmax(k @ w, dim=0)  # <- mistake
    h = torch.einsum("bst,bstd->btd", a, x)
    return {
        "retrieved_representation": h.to(v.dtype),
        "attention_weights": a.transpose(0, 1).to(v.dtype),
    }
