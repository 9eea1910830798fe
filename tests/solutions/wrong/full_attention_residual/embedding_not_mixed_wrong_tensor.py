# verdict: wrong_answer
# traps: embedding_not_mixed
"""Multiplies the layer outputs by the weights but the first, to make the shapes fit."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    every = torch.vstack((embedding[None], previous_outputs))
    l = torch.nn.functional.rms_norm(every, every.shape[-1:], eps=eps).matmul(pseudo_query)
    alphas = l.softmax(dim=0)
    layer_alphas = alphas[1:]
    h = torch.einsum("lbt,lbtd->btd", layer_alphas, previous_outputs)  # <- mistake
    return {"retrieved_representation": h, "attention_weights": alphas}
