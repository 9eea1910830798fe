# verdict: wrong_answer
# traps: normalized_query
import torch
from torch.nn import functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    wide = torch.promote_types(embedding.dtype, torch.float32)
    qk_norm = lambda x: F.rms_norm(x.to(wide), (D,), eps=eps)

    v = torch.cat([embedding.reshape(1, B * T, D), previous_outputs.flatten(1, 2)])
    k = qk_norm(v)
    q = qk_norm(pseudo_query)  # <- mistake

    # a 1x1 convolution over the feature channel is just the dot product
    logits = F.conv1d(k.transpose(1, 2), q.reshape(1, D, 1)).squeeze(1)  # (S, N)
    attn = logits.softmax(dim=0)
    mixed = torch.einsum("sn,snd->nd", attn, v.to(wide))
    return {
        "retrieved_representation": mixed.unflatten(0, (B, T)).to(embedding.dtype),
        "attention_weights": attn.unflatten(1, (B, T)).to(embedding.dtype),
    }
