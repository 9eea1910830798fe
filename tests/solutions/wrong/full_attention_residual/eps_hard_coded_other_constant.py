# verdict: wrong_answer
# traps: eps_hard_coded
"""A module constant of 1e-5, as LayerNorm has it, instead of the argument."""
import torch

EPSILON = 1e-5


def keys_of(x):
    return x / torch.sqrt((x ** 2).mean(-1, keepdim=True) + EPSILON)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    e, fs, w = embedding, previous_outputs, pseudo_query
    scores = torch.cat([(keys_of(e) @ w).unsqueeze(0), keys_of(fs) @ w])
    p = torch.softmax(scores, dim=0)
    h = p[0][..., None] * e + torch.einsum("lbt,lbtd->btd", p[1:], fs)
    return {"retrieved_representation": h, "attention_weights": p}
