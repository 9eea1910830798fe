# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = sources / torch.sqrt(sources.pow(2).mean(dim=-1, keepdim=True) + eps)
    logits = torch.matmul(keys, pseudo_query)
    # a token may only use what was decided one step before it
    logits = torch.cat([logits[:, :, :1], logits[:, :, :-1]], dim=2)  # <- mistake
    weights = torch.softmax(logits, dim=0)
    mixed = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return {"retrieved_representation": mixed, "attention_weights": weights}
