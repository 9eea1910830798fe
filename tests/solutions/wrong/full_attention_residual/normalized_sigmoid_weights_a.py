# verdict: wrong_answer
# traps: normalized_sigmoid_weights
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    wide = dtype if dtype.itemsize > 2 else torch.float32
    q = pseudo_query.to(wide)

    def scored():
        for v in (embedding, *previous_outputs):
            v = v.to(wide)
            yield v, (v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)) @ q

    values, logits = zip(*scored())
    logits = torch.stack(logits)
    strength = torch.sigmoid(logits)  # <- mistake
    weights = strength / strength.sum(dim=0)
    mixed = torch.stack([a.unsqueeze(-1) * v for a, v in zip(weights, values)]).sum(dim=0)
    return {"retrieved_representation": mixed.to(dtype), "attention_weights": weights.to(dtype)}
