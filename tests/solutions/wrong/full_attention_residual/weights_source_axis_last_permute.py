# verdict: wrong_answer
# traps: weights_source_axis_last
"""A helper moves the source axis behind for bmm; the way back is forgotten for the weights."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    values = torch.cat([embedding.unsqueeze(0), previous_outputs]).permute(1, 2, 0, 3)
    flat = values.reshape(B * T, -1, D)
    keys = flat / torch.sqrt(flat.pow(2).mean(-1, keepdim=True) + eps)
    probs = torch.softmax(keys @ pseudo_query, dim=-1)
    mixed = torch.bmm(probs.unsqueeze(1), flat).reshape(B, T, D)
    weights = probs.reshape(B, T, -1)  # <- mistake
    return {"retrieved_representation": mixed, "attention_weights": weights}
