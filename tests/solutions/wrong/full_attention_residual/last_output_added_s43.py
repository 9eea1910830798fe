# verdict: wrong_answer
# traps: last_output_added
# from my GPT-2 block: x = x + attn(ln(x))
import torch
import torch.nn.functional as F


def attn_over_depth(x, w, eps):
    k = F.rms_norm(x, (x.size(-1),), eps=eps)
    att = F.softmax(k @ w, dim=0)
    return (att.unsqueeze(-1) * x).sum(0), att


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    y, att = attn_over_depth(x, pseudo_query, eps)
    if len(previous_outputs) > 0:
        y = previous_outputs[-1] + y  # residual  # <- mistake
    return {"retrieved_representation": y, "attention_weights": att}
