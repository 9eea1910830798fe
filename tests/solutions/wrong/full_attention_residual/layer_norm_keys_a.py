# verdict: wrong_answer
# traps: layer_norm_keys
import torch
from torch import nn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    width = embedding.size(2)
    norm = nn.LayerNorm(width, eps=eps, elementwise_affine=False)  # <- mistake
    sources = [embedding] + [previous_outputs[i] for i in range(previous_outputs.size(0))]
    logits = [norm(s) @ pseudo_query for s in sources]
    weights = torch.stack(logits, dim=-1).softmax(dim=-1)  # (batch, sequence, sources)
    stacked = torch.stack(sources, dim=-2)  # (batch, sequence, sources, width)
    mixed = torch.einsum("bts,btsd->btd", weights, stacked)
    return {
        "retrieved_representation": mixed,
        "attention_weights": weights.permute(2, 0, 1),
    }
