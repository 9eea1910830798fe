# verdict: wrong_answer
# traps: norm_over_tokens, values_times_query
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat((embedding.unsqueeze(0), previous_outputs), 0)
    ms = v.square().mean(2, keepdim=True)  # <- mistake
    k = v * torch.rsqrt(ms + eps)
    weighted = k * pseudo_query
    alpha = torch.softmax(weighted.sum(-1), 0)
    v = v * pseudo_query  # <- mistake
    h = (alpha.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": alpha}
