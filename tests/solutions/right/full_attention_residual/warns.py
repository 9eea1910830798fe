# verdict: accepted
"""Warns at import and in every call; logs as well."""

import logging
import warnings

import torch

warnings.simplefilter("always")
warnings.warn("this module is experimental", FutureWarning, stacklevel=1)
log = logging.getLogger("attn_res")


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if not previous_outputs.shape[0]:
        warnings.warn("no layers: the embedding is the only source")
    log.warning("reading %d sources", previous_outputs.shape[0] + 1)

    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources.div(sources.square().mean(-1, keepdim=True).add(eps).sqrt())
    weights = keys.mul(pseudo_query).sum(-1).softmax(0)
    return {
        "retrieved_representation": sources.mul(weights.unsqueeze(-1)).sum(0),
        "attention_weights": weights,
    }
