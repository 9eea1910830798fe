# verdict: wrong_answer
# traps: narrowed_float64
# RMSNorm as in LLaMA: always normalise in fp32, then cast back
import torch
import torch.nn.functional as F


def llama_rms_norm(x, eps):
    h = x.float()  # <- mistake
    h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return h.type_as(x)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = llama_rms_norm(values, eps)
    logits = keys @ pseudo_query
    probs = F.softmax(logits, dim=0)
    out = (probs.unsqueeze(-1) * values).sum(dim=0)
    return {"retrieved_representation": out, "attention_weights": probs}
