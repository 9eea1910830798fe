# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Message passing style: every (source, token) pair is an edge into the token's node."""
    dtype = embedding.dtype
    wide = torch.promote_types(dtype, torch.float32)
    b, t, d = embedding.shape
    nodes = b * t
    messages = torch.cat([embedding.unsqueeze(0), previous_outputs]).reshape(-1, d).to(wide)
    target = torch.arange(messages.shape[0], device=messages.device) % nodes

    rms = messages.pow(2).mean(1).add(eps).sqrt()
    score = messages.matmul(pseudo_query.to(wide)) / rms
    ceiling = torch.full((nodes,), float("-inf"), dtype=wide, device=messages.device)
    ceiling = ceiling.scatter_reduce(0, target, score.detach(), reduce="amax")
    power = torch.exp(score - ceiling[target])
    mass = torch.zeros(nodes, dtype=wide, device=messages.device).index_add(0, target, power)
    alpha = power / mass[target]
    out = torch.zeros(nodes, d, dtype=wide, device=messages.device)
    out = out.index_add(0, target, alpha.unsqueeze(1) * messages)
    return {
        "retrieved_representation": out.reshape(b, t, d).to(dtype),
        "attention_weights": alpha.reshape(-1, b, t).to(dtype),
    }
