# verdict: wrong_answer
# traps: scaled_by_sqrt_width, normalized_values
"""scaled_dot_product_attention(q, x, x) on the normalised stack, with the default scale."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    x = torch.stack([embedding, *previous_outputs], 2)
    x = F.rms_norm(x, [D], eps=eps).reshape(B * T, -1, D)
    q = pseudo_query.expand(B * T, 1, D)
    scores = torch.bmm(q, x.mT) / D**0.5  # <- mistake
    h = F.scaled_dot_product_attention(q, x, x)  # <- mistake
    w = torch.softmax(scores, -1).reshape(B, T, -1).permute(2, 0, 1)
    return {"retrieved_representation": h.reshape(B, T, D), "attention_weights": w}
