# verdict: wrong_answer
# traps: embedding_key_unnormalized
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    out = embedding.dtype
    if out != torch.float64:
        embedding = embedding.to(torch.float32)
        previous_outputs = previous_outputs.to(torch.float32)
        pseudo_query = pseudo_query.to(torch.float32)
    shape = (embedding.size(-1),)

    layer_keys = [F.rms_norm(f, shape, eps=eps) for f in previous_outputs]
    keys = torch.stack([embedding] + layer_keys)  # <- mistake
    values = torch.stack([embedding] + [f for f in previous_outputs])

    logits = keys.mul(pseudo_query).sum(-1)
    weights = F.softmax(logits, dim=0)
    h = torch.zeros_like(embedding)
    for s in range(values.size(0)):
        h = torch.addcmul(h, weights[s, :, :, None], values[s])
    return {"retrieved_representation": h.to(out), "attention_weights": weights.to(out)}
