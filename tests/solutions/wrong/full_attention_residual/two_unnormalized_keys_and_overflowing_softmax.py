# verdict: wrong_answer
# traps: unnormalized_keys, overflowing_softmax
import torch


def softmax(x, dim):
    e_x = torch.exp(x)  # <- mistake
    return e_x / e_x.sum(dim, keepdim=True)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    up = torch.promote_types(dtype, torch.float32)
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], 0).to(up)
    logits = v @ pseudo_query.to(up)  # <- mistake
    alpha = softmax(logits, 0)
    h = (alpha.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h.to(dtype), "attention_weights": alpha.to(dtype)}
