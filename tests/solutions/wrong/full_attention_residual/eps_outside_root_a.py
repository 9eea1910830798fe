# verdict: wrong_answer
# traps: eps_outside_root
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def widen(x):
        return x.float() if x.element_size() == 2 else x

    e = widen(embedding)
    fs = widen(previous_outputs)
    w = widen(pseudo_query)

    numerators = []
    raw = []
    for v in [e] + list(fs):
        rms = v.pow(2).mean(dim=-1, keepdim=True).sqrt()
        key = v / (rms + eps)  # <- mistake
        numerators.append((key * w).sum(dim=-1))
        raw.append(v)

    log_total = torch.logsumexp(torch.stack(numerators), dim=0)
    weights = torch.stack([(n - log_total).exp() for n in numerators])
    h = torch.stack([a.unsqueeze(-1) * v for a, v in zip(weights, raw)]).sum(0)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
