# verdict: wrong_answer
# traps: l2_normalized_keys
"""F.normalize for RMSNorm: unit length, with eps as a lower bound of it."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = F.normalize(values, p=2, dim=-1, eps=eps)  # <- mistake
    weights = F.softmax(keys @ pseudo_query, dim=0)
    retrieved = torch.einsum("sbt,sbtd->btd", weights, values)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
