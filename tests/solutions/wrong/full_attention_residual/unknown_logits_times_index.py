# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding]
    for layer in previous_outputs:
        sources.append(layer)
    n = len(sources)

    scores = []
    for i, src in enumerate(sources):
        key = src / torch.sqrt((src**2).mean(-1, keepdim=True) + eps)
        score = (key * pseudo_query).sum(-1)
        scores.append(score * (i + 1) / n)  # <- mistake
    weights = torch.softmax(torch.stack(scores), dim=0)

    mixed = sum(weights[i].unsqueeze(-1) * sources[i] for i in range(n))
    return {"retrieved_representation": mixed, "attention_weights": weights}
