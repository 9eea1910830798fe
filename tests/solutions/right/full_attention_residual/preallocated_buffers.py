# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    num_layers, batch, seq, width = previous_outputs.shape
    num_sources = num_layers + 1

    sources = torch.empty(
        num_sources, batch, seq, width, dtype=embedding.dtype, device=embedding.device
    )
    sources[0] = embedding
    for i in range(num_layers):
        sources[i + 1] = previous_outputs[i]

    logits = torch.zeros(
        num_sources, batch, seq, dtype=embedding.dtype, device=embedding.device
    )
    for i in range(num_sources):
        norm = (sources[i].pow(2).mean(-1, keepdim=True) + eps).sqrt()
        logits[i] = ((sources[i] / norm) * pseudo_query).sum(-1)

    weights = torch.softmax(logits, 0)
    out = torch.zeros_like(embedding)
    for i in range(num_sources):
        out += weights[i].unsqueeze(-1) * sources[i]
    return {"retrieved_representation": out, "attention_weights": weights}
