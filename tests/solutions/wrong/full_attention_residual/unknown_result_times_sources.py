# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    count = sources.size(0)
    rms = sources.pow(2).mean(-1, keepdim=True).add(eps).sqrt()
    logits = sources.div(rms).mul(pseudo_query).sum(-1)
    weights = logits.softmax(0)
    read = weights.unsqueeze(-1).mul(sources).sum(0)
    # uniform weights should give back the ordinary residual stream
    read = read * count  # <- mistake
    return {"retrieved_representation": read, "attention_weights": weights}
