# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    layers, batch, seq, width = previous_outputs.shape
    work = torch.float32 if embedding.dtype in (torch.float16, torch.bfloat16) else embedding.dtype
    w = pseudo_query.to(work)
    v = [embedding.to(work)]
    for i in range(layers):
        v.append(previous_outputs[i].to(work))
    n = len(v)

    scores = torch.zeros(n, batch, seq, dtype=work, device=embedding.device)
    for i in range(n):
        rms = torch.sqrt((v[i] * v[i]).sum(dim=-1) / width + eps)
        scores[i] = (v[i] * w).sum(dim=-1) / rms

    alpha = torch.softmax(scores, dim=0)
    total = torch.zeros(batch, seq, width, dtype=work, device=embedding.device)
    for i in range(n):
        total = total + alpha[i].unsqueeze(-1) * v[i]
    total = total * n  # same scale as the plain residual sum  # <- mistake

    return {
        "retrieved_representation": total.to(embedding.dtype),
        "attention_weights": alpha.to(embedding.dtype),
    }
