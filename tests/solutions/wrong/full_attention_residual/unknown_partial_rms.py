# verdict: wrong_answer
"""'pRMSNorm': estimates the mean square from the first half of the features."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def partial_rms(x, part=0.5):
        n = max(1, int(x.shape[-1] * part))
        return torch.sqrt(x[..., :n].square().mean(-1, keepdim=True) + eps)  # <- mistake

    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    weights = torch.softmax((sources / partial_rms(sources)) @ pseudo_query, dim=0)
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * sources).sum(0),
        "attention_weights": weights,
    }
