# verdict: wrong_answer
"""Additive-attention style: tanh of the scores before the softmax."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    memory = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    energy = torch.tanh(F.rms_norm(memory, memory.shape[-1:], eps=eps) @ pseudo_query)  # <- mistake
    weights = F.softmax(energy, dim=0)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", weights, memory),
        "attention_weights": weights,
    }
