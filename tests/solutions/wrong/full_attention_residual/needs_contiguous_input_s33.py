# verdict: runtime_error
# traps: needs_contiguous_input
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    N = B * T

    f = previous_outputs.view(L, N, D)  # <- mistake
    e = embedding.reshape(1, N, D)
    v = torch.cat([e, f], dim=0)  # (L+1, N, D)

    k = v / torch.sqrt(v.pow(2).mean(2, keepdim=True) + eps)
    a = torch.softmax(torch.matmul(k, pseudo_query), dim=0)  # (L+1, N)
    h = torch.sum(a.unsqueeze(2) * v, dim=0)

    return {
        "retrieved_representation": h.reshape(B, T, D),
        "attention_weights": a.reshape(L + 1, B, T),
    }
