# verdict: wrong_answer
# traps: eps_ignored
"""The root mean square as the dictionary has it; the parameter eps stands in the signature only."""
import torch


def rms(x):
    return x.square().mean(-1, keepdim=True).sqrt()  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    w = torch.softmax((v / rms(v)) @ pseudo_query, dim=0)
    return {"retrieved_representation": (w.unsqueeze(-1) * v).sum(0), "attention_weights": w}
