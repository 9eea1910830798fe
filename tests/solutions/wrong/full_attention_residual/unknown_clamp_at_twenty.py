# verdict: wrong_answer
import torch


def safe_softmax(x, axis):
    x = x.clamp(-20.0, 20.0)  # <- mistake
    e = x.exp()
    return e / e.sum(axis, keepdim=True)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    t = torch.promote_types(embedding.dtype, torch.float32)
    e, f, w = embedding.to(t), previous_outputs.to(t), pseudo_query.to(t)
    v = torch.cat([e.unsqueeze(0), f])
    k = v / torch.sqrt(torch.mean(v**2, axis=-1, keepdims=True) + eps)
    a = safe_softmax(torch.matmul(k, w), axis=0)
    h = torch.sum(a[..., None] * v, axis=0)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": a.to(embedding.dtype),
    }
