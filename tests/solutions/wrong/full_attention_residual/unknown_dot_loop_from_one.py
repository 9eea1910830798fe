# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    width = sources.shape[3]

    # 1. mean square of every source
    mean_square = torch.zeros_like(sources[..., 0])
    for d in range(width):
        mean_square = mean_square + sources[..., d] ** 2 / width
    rms = torch.sqrt(mean_square + eps)

    # 2. dot product with the query
    logits = torch.zeros_like(rms)
    for d in range(1, width):  # <- mistake
        logits = logits + pseudo_query[d] * sources[..., d] / rms

    # 3. softmax
    weights = torch.softmax(logits, dim=0)

    # 4. weighted sum
    result = (weights[..., None] * sources).sum(dim=0)
    return {"retrieved_representation": result, "attention_weights": weights}
