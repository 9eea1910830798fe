# verdict: wrong_answer
# traps: logits_as_weights
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dt = embedding.dtype
    calc = torch.promote_types(dt, torch.float32)
    s = torch.cat((embedding.unsqueeze(0), previous_outputs)).to(calc)
    attn = (s * torch.rsqrt(s.pow(2).mean(-1, keepdim=True) + eps)).matmul(pseudo_query.to(calc))
    probs = attn.softmax(dim=0)
    out = torch.einsum("sbt,sbtd->btd", probs, s)
    return {
        "retrieved_representation": out.to(dt),
        "attention_weights": attn.to(dt),  # <- mistake
    }
