# verdict: wrong_answer
import torch

NUM_HEADS = 2


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = values / torch.sqrt(values.pow(2).mean(-1, keepdim=True) + eps)

    head_outputs, head_weights = [], []
    heads = zip(
        keys.chunk(NUM_HEADS, dim=-1),  # <- mistake
        values.chunk(NUM_HEADS, dim=-1),
        pseudo_query.chunk(NUM_HEADS),
    )
    for k, v, q in heads:
        w = torch.softmax(k @ q, dim=0)
        head_weights.append(w)
        head_outputs.append((w.unsqueeze(-1) * v).sum(0))
    return {
        "retrieved_representation": torch.cat(head_outputs, dim=-1),
        "attention_weights": torch.stack(head_weights).mean(0),
    }
