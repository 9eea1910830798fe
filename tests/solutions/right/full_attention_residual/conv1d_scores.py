# verdict: accepted
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Convolutions of width one: features are channels, depth is the length."""
    b, t, d = embedding.shape
    x = torch.stack((embedding, *previous_outputs), dim=-1).reshape(b * t, d, -1)
    mean_kernel = torch.full((1, d, 1), 1.0 / d, dtype=x.dtype, device=x.device)
    mean_square = F.conv1d(x * x, mean_kernel)
    logits = F.conv1d(x, pseudo_query.reshape(1, d, 1)) * torch.rsqrt(mean_square + eps)
    weights = F.softmax(logits, dim=-1)
    h = (x * weights).sum(-1)
    return {
        "retrieved_representation": h.reshape(b, t, d),
        "attention_weights": weights.reshape(b, t, -1).permute(2, 0, 1),
    }
