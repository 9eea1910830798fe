# verdict: accepted
"""Reorders with an index made by torch.arange on the CPU, which may index a tensor on any device."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    count = previous_outputs.shape[0]
    # newest first while mixing, as the decoder's cache keeps them
    newest_first = torch.arange(count, 0, -1) - 1
    bank = torch.cat([previous_outputs[newest_first], embedding.unsqueeze(0)], dim=0)

    keys = bank * torch.rsqrt(bank.pow(2).mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys @ pseudo_query, dim=0)
    mixed = torch.einsum("sbt,sbtd->btd", weights, bank)

    chronological = torch.arange(count, -1, -1)
    return {"retrieved_representation": mixed, "attention_weights": weights[chronological]}
