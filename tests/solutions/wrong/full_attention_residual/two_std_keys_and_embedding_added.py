# verdict: wrong_answer
# traps: std_keys, embedding_added
from functools import reduce

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def score(x):
        unit = x / (x.var(-1, correction=0, keepdim=True) + eps).sqrt()  # <- mistake
        return (unit * pseudo_query).sum(-1)

    sources = (embedding, *previous_outputs)
    alpha = torch.stack(list(map(score, sources))).softmax(0)
    h = reduce(
        lambda acc, pair: acc + pair[0].unsqueeze(-1) * pair[1],
        zip(alpha, sources),
        embedding,  # <- mistake
    )
    return {"retrieved_representation": h, "attention_weights": alpha}
