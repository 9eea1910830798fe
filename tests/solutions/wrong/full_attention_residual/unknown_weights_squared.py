# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Mix the sources, batch first all the way through."""
    x = torch.cat([embedding.unsqueeze(0), previous_outputs]).permute(1, 2, 0, 3)
    keys = x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    probs = (keys @ pseudo_query).softmax(-1)
    weights = probs * probs  # <- mistake
    out = (weights.unsqueeze(-2) @ x).squeeze(-2)
    return {
        "retrieved_representation": out,
        "attention_weights": weights.permute(2, 0, 1),
    }
