# verdict: wrong_answer
# traps: normalized_query, zero_layers
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    query = pseudo_query / (pseudo_query.norm() + 1e-12)  # <- mistake
    layer_list = [o.unsqueeze(0) for o in previous_outputs]
    layers = torch.cat(layer_list, dim=0)  # <- mistake
    sources = torch.cat([embedding.unsqueeze(0), layers], dim=0)

    mean_sq = sources.pow(2).mean(dim=-1, keepdim=True)
    keys = sources / torch.sqrt(mean_sq + eps)
    logits = (keys * query).sum(dim=-1)
    weights = torch.softmax(logits, dim=0)
    out = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return {"retrieved_representation": out, "attention_weights": weights}
