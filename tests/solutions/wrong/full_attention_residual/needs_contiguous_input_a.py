# verdict: runtime_error
# traps: needs_contiguous_input
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    L = previous_outputs.shape[0]
    hi = embedding.dtype if embedding.dtype == torch.float64 else torch.float32

    def flat(x, rows):
        return x.view(rows, B * T, D).to(hi)  # <- mistake

    x = torch.cat((flat(embedding, 1), flat(previous_outputs, L)))  # (S, N, D)
    r = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    a = torch.softmax((x * r) @ pseudo_query.to(hi), dim=0)  # (S, N)
    h = torch.einsum("sn,snd->nd", a, x)
    return {
        "retrieved_representation": h.view(B, T, D).to(embedding.dtype),
        "attention_weights": a.view(L + 1, B, T).to(embedding.dtype),
    }
