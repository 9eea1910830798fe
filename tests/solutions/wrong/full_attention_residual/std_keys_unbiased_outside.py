# verdict: wrong_answer
# traps: std_keys
"""`x / (x.std(-1) + eps)`, torch's default with D - 1 below the line (and NaN for a width of one)."""
import torch


def standardise(x, eps):
    return x / (x.std(dim=-1, keepdim=True) + eps)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding, *previous_outputs]
    logits = torch.stack([torch.inner(standardise(s, eps), pseudo_query) for s in sources])
    weights = torch.softmax(logits, dim=0)
    mixed = torch.stack([w.unsqueeze(-1) * s for w, s in zip(weights, sources)]).sum(dim=0)
    return {"retrieved_representation": mixed, "attention_weights": weights}
