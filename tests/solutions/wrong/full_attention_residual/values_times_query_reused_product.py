# verdict: wrong_answer
# traps: values_times_query
"""Multiplies the query into the sources first, for score and mix alike."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    vw = v * pseudo_query
    rms = torch.sqrt(v.pow(2).mean(-1) + eps)
    alpha = torch.softmax(vw.sum(-1) / rms, dim=0)
    h = (alpha.unsqueeze(-1) * vw).sum(0)  # <- mistake
    return {"retrieved_representation": h, "attention_weights": alpha}
