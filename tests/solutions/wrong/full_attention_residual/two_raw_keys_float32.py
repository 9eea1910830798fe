# verdict: wrong_answer
# traps: unnormalized_keys, wrong_dtype
"""Raw keys, upcast for half inputs and never cast back."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(wide)
    alpha = torch.softmax(v @ pseudo_query.to(wide), dim=0)  # <- mistake
    return {"retrieved_representation": (alpha[..., None] * v).sum(0), "attention_weights": alpha}  # <- mistake
