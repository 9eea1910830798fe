# verdict: wrong_answer
# traps: eps_outside_root
import torch


def root_mean_square(x):
    return torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True))


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    half = embedding.dtype in (torch.half, torch.bfloat16)
    work = torch.float32 if half else embedding.dtype

    sources = [embedding.to(work)]
    for f in previous_outputs:
        sources.append(f.to(work))

    logits = []
    for v in sources:
        key = v / (root_mean_square(v) + eps)  # <- mistake
        logits.append((key * pseudo_query.to(work)).sum(-1))
    logits = torch.stack(logits, dim=0)
    weights = torch.softmax(logits, dim=0)

    h = weights[0].unsqueeze(-1) * sources[0]
    for i in range(1, len(sources)):
        h = h + weights[i].unsqueeze(-1) * sources[i]

    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
