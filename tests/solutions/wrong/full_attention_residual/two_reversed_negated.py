# verdict: wrong_answer
# traps: reversed_layers, negated_logits
"""Newest first behind the embedding, and 'energies' with a minus sign."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    newest_first = previous_outputs.flip(0)  # <- mistake
    v = torch.cat([embedding.unsqueeze(0), newest_first])
    energy = torch.einsum("sbtd,d->sbt", v, pseudo_query) / torch.sqrt(v.pow(2).mean(-1) + eps)
    boltzmann = torch.exp(-energy - (-energy).amax(0))  # <- mistake
    p = boltzmann / boltzmann.sum(0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", p, v), "attention_weights": p}
