# verdict: wrong_answer
import torch


def stable_softmax(x, dim, eps):
    x = x - x.max(dim=dim, keepdim=True)[0]
    num = torch.exp(x)
    return num / (num.sum(dim=dim, keepdim=True) + eps)  # <- mistake


def stable_rms_norm(x, dim, eps):
    return x / torch.sqrt(x.pow(2).mean(dim=dim, keepdim=True) + eps)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = stable_rms_norm(sources, dim=-1, eps=eps)
    weights = stable_softmax(torch.matmul(keys, pseudo_query), dim=0, eps=eps)
    h = torch.einsum("lbt,lbtd->btd", weights, sources)
    return {"retrieved_representation": h, "attention_weights": weights}
