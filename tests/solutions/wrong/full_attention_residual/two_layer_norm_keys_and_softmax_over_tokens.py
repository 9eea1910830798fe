# verdict: wrong_answer
# traps: layer_norm_keys, softmax_over_tokens
import torch
import torch.nn as nn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    d_model = embedding.shape[-1]
    norm = nn.LayerNorm(d_model, eps=eps, elementwise_affine=False)  # <- mistake
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    logits = torch.matmul(norm(values), pseudo_query)
    weights = torch.softmax(logits, dim=-1)  # <- mistake
    retrieved = torch.sum(weights.unsqueeze(-1) * values, dim=0)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
