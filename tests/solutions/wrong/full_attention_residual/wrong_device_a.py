# verdict: wrong_answer
# traps: wrong_device
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    num_layers, batch, seq, width = previous_outputs.shape
    dtype = embedding.dtype
    acc = torch.promote_types(dtype, torch.float32)

    sources = [embedding, *previous_outputs]
    attention = torch.zeros(num_layers + 1, batch, seq, dtype=dtype)  # <- mistake

    scores = []
    for x in sources:
        x = x.to(acc)
        k = x / torch.sqrt(torch.mean(x.pow(2), -1, keepdim=True) + eps)
        scores.append(torch.sum(k * pseudo_query.to(acc), -1))
    log_z = torch.logsumexp(torch.stack(scores), 0)

    h = 0.0
    for i, (x, s) in enumerate(zip(sources, scores)):
        p = torch.exp(s - log_z)
        attention[i] = p
        h = h + p.unsqueeze(-1) * x.to(acc)
    return {"retrieved_representation": h.to(dtype), "attention_weights": attention}
