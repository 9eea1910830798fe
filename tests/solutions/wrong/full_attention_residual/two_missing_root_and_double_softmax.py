# verdict: wrong_answer
# traps: missing_root, double_softmax
import torch


def attention_scores(keys, query):
    return torch.softmax(keys @ query, dim=0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding[None, ...], previous_outputs], dim=0)
    power = torch.mean(sources * sources, dim=-1, keepdim=True)
    keys = sources / (power + eps)  # <- mistake
    scores = attention_scores(keys, pseudo_query)
    weights = torch.softmax(scores, dim=0)  # <- mistake
    output = torch.mul(weights[..., None], sources).sum(dim=0)
    return {"retrieved_representation": output, "attention_weights": weights}
