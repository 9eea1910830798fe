# verdict: wrong_answer
import math

import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.stack([embedding, *previous_outputs.unbind()])
    depth, _, _, width = sources.shape
    keys = F.rms_norm(sources, (width,), eps=eps)
    # deeper readers have more candidates, so keep the logits tame
    logits = torch.einsum("sbtd,d->sbt", keys, pseudo_query) / math.sqrt(depth)  # <- mistake
    attn = F.softmax(logits, dim=0)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", attn, sources),
        "attention_weights": attn,
    }
