# verdict: accepted
"""Four nested Python loops, as close to the formula as it gets, and slow."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    rows, columns = [], []
    for b in range(B):
        for t in range(T):
            v = [embedding[b, t]] + [previous_outputs[l, b, t] for l in range(L)]
            s = []
            for v_i in v:
                k_i = v_i / torch.sqrt(torch.mean(v_i * v_i) + eps)
                s.append(torch.dot(pseudo_query, k_i))
            s = torch.stack(s)
            p = torch.exp(s - torch.max(s))
            p = p / torch.sum(p)
            h = torch.zeros_like(v[0])
            for i in range(L + 1):
                h = h + p[i] * v[i]
            rows.append(h)
            columns.append(p)
    return {
        "retrieved_representation": torch.stack(rows).reshape(B, T, D),
        "attention_weights": torch.stack(columns, dim=1).reshape(L + 1, B, T),
    }
