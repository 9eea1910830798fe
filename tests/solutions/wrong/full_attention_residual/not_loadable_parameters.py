# verdict: not_loadable
"""Takes one tensor of sources and no eps."""
import torch


def full_attention_residual(sources, query):
    keys = sources / torch.sqrt(sources.square().mean(-1, keepdim=True) + 1e-6)
    weights = torch.softmax(keys @ query, dim=0)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", weights, sources),
        "attention_weights": weights,
    }
