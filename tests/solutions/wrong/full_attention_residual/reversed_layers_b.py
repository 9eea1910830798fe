# verdict: wrong_answer
# traps: reversed_layers
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    compute = torch.float32 if embedding.dtype in (torch.half, torch.bfloat16) else embedding.dtype

    sources = [embedding]
    for out in previous_outputs:
        sources.insert(1, out)  # <- mistake

    # flatten tokens so that plain matrix products do the work
    N = B * T
    V = torch.stack(sources, dim=2).reshape(N, L + 1, D).to(compute)
    K = V / torch.sqrt(torch.mean(V * V, dim=-1, keepdim=True) + eps)
    w = pseudo_query.to(compute).reshape(1, D, 1).expand(N, D, 1)
    logits = torch.bmm(K, w)  # (N, S, 1)
    probs = torch.softmax(logits, dim=1)
    out = torch.bmm(probs.transpose(1, 2), V)  # (N, 1, D)
    return {
        "retrieved_representation": out.reshape(B, T, D).to(embedding.dtype),
        "attention_weights": probs.reshape(B, T, L + 1).permute(2, 0, 1).to(embedding.dtype),
    }
