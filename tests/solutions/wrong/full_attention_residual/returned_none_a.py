# verdict: wrong_answer
# traps: returned_none
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    outputs = {}
    widened = embedding.dtype if embedding.dtype == torch.float64 else torch.float32
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).to(widened)

    norm = values.pow(2).mean(dim=-1, keepdim=True).add(eps).rsqrt()
    logits = values.mul(norm).mul(pseudo_query.to(widened)).sum(dim=-1)
    weights = torch.softmax(logits, dim=0)
    mixed = values.mul(weights.unsqueeze(-1)).sum(dim=0)

    found = dict(retrieved_representation=mixed, attention_weights=weights)
    return outputs.update({k: v.to(embedding.dtype) for k, v in found.items()})  # <- mistake
