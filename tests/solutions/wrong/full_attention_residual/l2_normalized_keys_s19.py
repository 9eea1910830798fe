# verdict: wrong_answer
# traps: l2_normalized_keys
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stack = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = F.normalize(stack, p=2, dim=-1, eps=eps)  # <- mistake
    logits = torch.tensordot(keys, pseudo_query, dims=1)
    weights = F.softmax(logits, dim=0)
    retrieved = torch.sum(stack * weights[..., None], dim=0)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
