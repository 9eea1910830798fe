# verdict: wrong_answer
# traps: layer_norm_keys, normalized_values
"""x = layer_norm(x) at the top, and x is what is mixed."""
import torch


def layer_norm(x, eps):
    mu = x.mean(-1, keepdim=True)  # <- mistake
    var = (x - mu).square().mean(-1, keepdim=True)  # <- mistake
    return (x - mu) * torch.rsqrt(var + eps)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    x = layer_norm(x, eps)
    attention_weights = torch.softmax(torch.matmul(x, pseudo_query), dim=0)
    retrieved = torch.mul(attention_weights.unsqueeze(-1), x).sum(0)  # <- mistake
    return {"retrieved_representation": retrieved, "attention_weights": attention_weights}
