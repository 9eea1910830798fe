# verdict: wrong_answer
# traps: eps_hard_coded
"""The helper's third parameter is eps and has a default; the call forgets to pass it on."""
import torch


def attend(sources, query, eps=1e-8):
    k = sources.mul(sources.pow(2).mean(dim=-1, keepdim=True).add(eps).rsqrt())
    return k.mul(query).sum(dim=-1).softmax(dim=0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    weights = attend(sources, pseudo_query)  # <- mistake
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", weights, sources),
        "attention_weights": weights,
    }
