# verdict: wrong_answer
# traps: eps_outside_root, normalized_values
"""x /= rms + eps on a copy, which is then used for everything."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    rms = x.square().mean(dim=-1, keepdim=True).sqrt()
    x = x / (rms + eps)  # <- mistake
    logits = torch.tensordot(x, pseudo_query, dims=1)
    weights = torch.exp(torch.log_softmax(logits, dim=0))
    mixed = (weights.unsqueeze(-1) * x).sum(0)  # <- mistake
    return {"retrieved_representation": mixed, "attention_weights": weights}
