# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    e = embedding.to(wide)
    layers = [layer.to(wide) for layer in previous_outputs]
    q = pseudo_query.to(wide)
    all_states = [e] + layers
    rms_values = [torch.sqrt(torch.mean(s * s, dim=-1, keepdim=True) + eps) for s in all_states]
    keys = [s * r for s, r in zip(all_states, rms_values)]  # <- mistake
    logits = torch.stack([torch.matmul(k, q) for k in keys], dim=0)
    weights = torch.softmax(logits, dim=0)
    h = torch.stack([w.unsqueeze(-1) * s for w, s in zip(weights, all_states)]).sum(dim=0)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
