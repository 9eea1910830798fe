# verdict: wrong_answer
# traps: softmax_per_feature
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = v * torch.rsqrt(v.pow(2).mean(dim=-1, keepdim=True) + eps)
    logits = k * pseudo_query  # <- mistake
    alpha = torch.softmax(logits, dim=0)
    h = (alpha * v).sum(dim=0)
    return {"retrieved_representation": h, "attention_weights": alpha.mean(dim=-1)}
