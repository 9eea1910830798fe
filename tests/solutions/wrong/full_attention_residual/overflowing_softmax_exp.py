# verdict: wrong_answer
# traps: overflowing_softmax
"""exp without subtracting the maximum: inf / inf once a logit is in the hundreds."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    src = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = src / torch.sqrt(src.pow(2).mean(dim=-1, keepdim=True) + eps)
    scores = torch.einsum('sbtd,d->sbt', keys, pseudo_query)
    e = torch.exp(scores)  # <- mistake
    alpha = e / e.sum(dim=0, keepdim=True)
    out = torch.einsum('sbt,sbtd->btd', alpha, src)
    return {'retrieved_representation': out, 'attention_weights': alpha}
