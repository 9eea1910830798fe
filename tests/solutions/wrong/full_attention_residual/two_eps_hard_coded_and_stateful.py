# verdict: wrong_answer
# traps: eps_hard_coded, stateful
import torch

EPS = 1e-5
_key_cache = {}


def _keys(sources):
    # the keys of a layer do not depend on the query: compute them once
    slot = (tuple(sources.shape), sources.dtype, sources.device)
    if slot not in _key_cache:  # <- mistake
        mean_square = sources.pow(2).mean(-1, keepdim=True)
        _key_cache[slot] = sources * torch.rsqrt(mean_square + EPS)  # <- mistake
    return _key_cache[slot]


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    weights = torch.softmax(_keys(sources) @ pseudo_query, dim=0)
    h = torch.einsum("sbt,sbtd->btd", weights, sources)
    return {"retrieved_representation": h, "attention_weights": weights}
