# verdict: wrong_answer
# traps: normalized_values
import torch


def rms_norm(x, eps):
    return x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat((embedding.unsqueeze(0), previous_outputs), dim=0)
    sources = rms_norm(sources, eps)  # <- mistake
    logits = sources @ pseudo_query
    weights = logits.softmax(0)
    out = (weights.unsqueeze(-1) * sources).sum(0)
    return {"retrieved_representation": out, "attention_weights": weights}
