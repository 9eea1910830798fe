# verdict: wrong_answer
# traps: embedding_key_unnormalized
"""Normalises the layer outputs before the embedding, taken to be normal already, is put in front of them."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    e = embedding[None]
    layer_keys = F.rms_norm(previous_outputs, previous_outputs.shape[-1:], eps=eps)
    keys = torch.cat([e, layer_keys])  # <- mistake
    values = torch.cat([e, previous_outputs])
    scores = torch.einsum("sbtd,d->sbt", keys, pseudo_query)
    attn = scores.softmax(dim=0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", attn, values), "attention_weights": attn}
