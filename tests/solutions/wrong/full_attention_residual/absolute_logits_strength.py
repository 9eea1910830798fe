# verdict: wrong_answer
# traps: absolute_logits
"""Takes the strength of the alignment, whatever its sign."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    rms = (v.pow(2).mean(-1) + eps).pow(0.5)
    alignment = torch.einsum("nbtd,d->nbt", v, pseudo_query) / rms
    strength = alignment.abs()  # <- mistake
    attn = strength.softmax(0)
    mixed = torch.einsum("nbt,nbtd->btd", attn, v)
    return {"retrieved_representation": mixed, "attention_weights": attn}
