# verdict: wrong_answer
# traps: embedding_added
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L = previous_outputs.size(0)
    f = torch.promote_types(embedding.dtype, torch.float32)
    srcs = [embedding.to(f)] + [previous_outputs.select(0, i).to(f) for i in range(L)]
    sims = []
    for s in srcs:
        denom = torch.sqrt(torch.mean(torch.pow(s, 2), dim=-1) + eps)
        sims.append(torch.matmul(s, pseudo_query.to(f)) / denom)
    w = torch.nn.functional.softmax(torch.stack(sims, dim=0), dim=0)
    h = srcs[0].clone()  # <- mistake
    for i in range(L + 1):
        h += w[i].unsqueeze(-1) * srcs[i]
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": w.to(embedding.dtype),
    }
