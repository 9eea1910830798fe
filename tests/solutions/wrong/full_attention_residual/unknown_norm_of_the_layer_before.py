# verdict: wrong_answer
"""An index slip: source i is divided by the RMS of source i - 1."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding] + list(previous_outputs)
    rms = [torch.sqrt((s * s).mean(-1, keepdim=True) + eps) for s in sources]
    logits = []
    for i, s in enumerate(sources):
        logits.append((s / rms[max(i - 1, 0)]) @ pseudo_query)  # <- mistake
    weights = torch.softmax(torch.stack(logits), dim=0)
    mixed = torch.stack([w[..., None] * s for w, s in zip(weights, sources)]).sum(0)
    return {"retrieved_representation": mixed, "attention_weights": weights}
