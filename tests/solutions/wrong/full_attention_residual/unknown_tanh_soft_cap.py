# verdict: wrong_answer
import torch

SOFT_CAP = 5.0


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    hs = torch.cat([embedding[None, :, :, :], previous_outputs], dim=0)
    var = hs.pow(2).mean(-1, keepdim=True)
    normed = hs * torch.rsqrt(var + eps)
    attn_logits = torch.einsum("kbtd,d->kbt", normed, pseudo_query)
    attn_logits = SOFT_CAP * torch.tanh(attn_logits / SOFT_CAP)  # <- mistake
    attn_probs = attn_logits.softmax(dim=0)
    out = torch.einsum("kbt,kbtd->btd", attn_probs, hs)
    return {"retrieved_representation": out, "attention_weights": attn_probs}
