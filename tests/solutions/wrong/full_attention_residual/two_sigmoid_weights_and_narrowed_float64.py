# verdict: wrong_answer
# traps: sigmoid_weights, narrowed_float64
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    if previous_outputs.shape[0] == 0:
        ones = torch.ones(1, *embedding.shape[:-1], dtype=dtype, device=embedding.device)
        return {"retrieved_representation": embedding, "attention_weights": ones}

    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).float()  # <- mistake
    query = pseudo_query.to(values.dtype)
    keys = values * torch.rsqrt(values.pow(2).mean(-1, keepdim=True) + eps)
    gates = torch.sigmoid((keys * query).sum(-1))  # <- mistake
    mixed = (gates.unsqueeze(-1) * values).sum(0)
    return {"retrieved_representation": mixed.to(dtype), "attention_weights": gates.to(dtype)}
