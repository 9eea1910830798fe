# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    given = embedding.dtype
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    if given in (torch.half, torch.bfloat16):
        # long sums of halves are too coarse
        sources, pseudo_query = sources.float(), pseudo_query.float()
    D = sources.size(-1)

    total = 0
    dot = 0
    for d in range(D):
        x = sources.select(-1, d)
        total = total + x * x / D
        dot = dot + pseudo_query[d] * x
    logits = dot / (total + eps) ** 0.5

    biggest = logits[0]
    for row in logits[1:]:
        biggest = torch.where(row > biggest, row, biggest)
    exps = [(row - biggest).exp() for row in logits]
    bottom = sum(exps)
    weights = [e / bottom for e in exps]

    columns = []
    for d in range(D):
        columns.append(sum(w * s[..., d] for w, s in zip(weights, sources)))
    return {
        "retrieved_representation": torch.stack(columns, dim=-1).to(given),
        "attention_weights": torch.stack(weights).to(given),
    }
