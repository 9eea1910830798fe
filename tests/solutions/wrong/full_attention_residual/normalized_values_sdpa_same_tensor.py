# verdict: wrong_answer
# traps: normalized_values
"""Self-attention by habit: one normalised tensor is passed as key and as value."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    x = torch.cat([embedding.unsqueeze(0), previous_outputs]).permute(1, 2, 0, 3)
    x = F.rms_norm(x, (D,), eps=eps)
    q = pseudo_query.expand(B, T, 1, D)
    out = F.scaled_dot_product_attention(q, x, x, scale=1.0).squeeze(2)  # <- mistake
    attn = torch.softmax(x @ pseudo_query, dim=-1)
    return {"retrieved_representation": out, "attention_weights": attn.permute(2, 0, 1)}
