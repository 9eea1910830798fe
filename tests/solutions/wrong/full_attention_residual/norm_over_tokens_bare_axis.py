# verdict: wrong_answer
# traps: norm_over_tokens
"""The mean square is taken over axis 2, which was the width before the sources were stacked."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    ms = v.pow(2).mean(dim=2, keepdim=True)  # <- mistake
    logits = (v * torch.rsqrt(ms + eps)).matmul(pseudo_query)
    alpha = torch.nn.Softmax(dim=0)(logits)
    return {"retrieved_representation": alpha.unsqueeze(-1).mul(v).sum(0), "attention_weights": alpha}
