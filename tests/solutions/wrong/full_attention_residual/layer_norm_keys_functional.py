# verdict: wrong_answer
# traps: layer_norm_keys
"""F.layer_norm, the norm that every older transformer has."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    tokens = torch.stack([embedding] + list(previous_outputs), dim=2)  # (B, T, S, D)
    normed = F.layer_norm(tokens, [tokens.size(-1)], eps=eps)  # <- mistake
    attn = F.softmax(F.linear(normed, pseudo_query.unsqueeze(0)).squeeze(-1), dim=-1)
    out = torch.einsum("bts,btsd->btd", attn, tokens)
    return {"retrieved_representation": out, "attention_weights": attn.permute(2, 0, 1)}
