# verdict: accepted
"""Windows line endings."""
import torch

def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    n_layers, batch, tokens, width = previous_outputs.shape
    V = torch.cat([embedding.reshape(1, batch, tokens, width), previous_outputs], dim=0)
    rms = ((V ** 2).mean(dim=-1, keepdim=True) + eps) ** 0.5
    scores = (V / rms * pseudo_query).sum(dim=-1)
    A = torch.softmax(scores, dim=0)
    out = (A.unsqueeze(dim=-1) * V).sum(dim=0)
    assert A.shape[0] == n_layers + 1
    return {
        "retrieved_representation": out,
        "attention_weights": A,
    }
