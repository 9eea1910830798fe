# verdict: wrong_answer
# traps: mutated_inputs
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    hi = torch.promote_types(dtype, torch.float32)
    values = torch.cat([embedding[None], previous_outputs]).to(hi)

    # keys, layer outputs and embedding apart
    e = embedding.to(hi)
    f = previous_outputs.to(hi)
    e = e / (e.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    f /= (f.pow(2).mean(-1, keepdim=True) + eps).sqrt()  # <- mistake

    w = pseudo_query.to(hi)
    logits = torch.cat([(e @ w)[None], f @ w])
    weights = logits.softmax(0)
    h = torch.einsum("nbt,nbtd->btd", weights, values)
    return {"retrieved_representation": h.to(dtype), "attention_weights": weights.to(dtype)}
