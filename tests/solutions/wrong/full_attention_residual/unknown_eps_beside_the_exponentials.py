# verdict: wrong_answer
import torch


def stable_softmax(x, eps):
    x = x - x.max(dim=0, keepdim=True).values
    e = torch.exp(x)
    return e / (e.sum(dim=0, keepdim=True) + eps)  # <- mistake


def rms(x, eps):
    return torch.sqrt((x * x).mean(dim=-1, keepdim=True) + eps)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if len(previous_outputs) == 0:
        w = embedding.new_ones(1, embedding.shape[0], embedding.shape[1])
        return {"retrieved_representation": embedding, "attention_weights": w}
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = v / rms(v, eps)
    w = stable_softmax((k * pseudo_query).sum(-1), eps)
    h = (w[..., None] * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": w}
