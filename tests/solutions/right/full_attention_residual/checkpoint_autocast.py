# verdict: accepted
import torch
from torch.utils.checkpoint import checkpoint


def _weights(sources, query, eps):
    with torch.autocast(sources.device.type, enabled=False):
        keys = torch.div(sources, sources.pow(2).mean(-1, keepdim=True).add(eps).sqrt())
        return torch.matmul(keys, query).softmax(dim=0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    wide = torch.promote_types(dtype, torch.float32)
    sources = torch.vstack((embedding.unsqueeze(0), previous_outputs)).to(wide)
    # the keys are made anew in the backward pass instead of being kept
    weights = checkpoint(
        _weights, sources, pseudo_query.to(wide), eps, use_reentrant=False, preserve_rng_state=False
    )
    mixed = torch.matmul(weights.movedim(0, -1).unsqueeze(-2), sources.permute(1, 2, 0, 3))
    return {
        "retrieved_representation": mixed.squeeze(-2).to(dtype),
        "attention_weights": weights.to(dtype),
    }
