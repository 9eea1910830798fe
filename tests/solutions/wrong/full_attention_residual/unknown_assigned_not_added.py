# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def key(source):
        return source / torch.sqrt(source.pow(2).mean(dim=-1, keepdim=True) + eps)

    sources = [embedding]
    sources.extend(previous_outputs)

    scores = torch.stack([key(source) @ pseudo_query for source in sources])
    weights = torch.softmax(scores, dim=0)

    retrieved = torch.zeros_like(embedding)
    for index, source in enumerate(sources):
        retrieved = weights[index].unsqueeze(-1) * source  # <- mistake
    return {"retrieved_representation": retrieved, "attention_weights": weights}
