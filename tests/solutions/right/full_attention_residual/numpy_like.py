# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # (batch, time, depth, features), like any other attention
    x = torch.concatenate(
        [torch.unsqueeze(embedding, 2), torch.moveaxis(previous_outputs, 0, 2)], axis=2
    )
    rms = torch.sqrt(torch.mean(x**2, axis=-1, keepdims=True) + eps)
    scores = torch.sum(x / rms * pseudo_query, axis=-1)
    scores = scores - torch.amax(scores, axis=-1, keepdims=True)
    alpha = torch.exp(scores)
    alpha = alpha / torch.sum(alpha, axis=-1, keepdims=True)
    h = torch.sum(alpha[..., None] * x, axis=-2)
    return {
        "retrieved_representation": h,
        "attention_weights": torch.moveaxis(alpha, -1, 0),
    }
