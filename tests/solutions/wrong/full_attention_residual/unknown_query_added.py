# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = {"embedding": embedding}
    for number, output in enumerate(previous_outputs, start=1):
        sources[f"layer_{number}"] = output

    logits = {}
    for name, value in sources.items():
        key = value / torch.sqrt(torch.mean(value**2, dim=-1, keepdim=True) + eps)
        logits[name] = torch.sum(key + pseudo_query, dim=-1)  # <- mistake

    weights = torch.softmax(torch.stack(list(logits.values())), dim=0)
    h = torch.zeros_like(embedding)
    for weight, name in zip(weights, sources):
        h = h + weight[..., None] * sources[name]
    return {"retrieved_representation": h, "attention_weights": weights}
