# verdict: accepted
import torch


def _merge(left, right):
    """Two partial softmax reads into one; each is (max, mass, unnormalised mix)."""
    m1, z1, o1 = left
    m2, z2, o2 = right
    m = torch.maximum(m1, m2)
    c1, c2 = torch.exp(m1 - m), torch.exp(m2 - m)
    return m, c1 * z1 + c2 * z2, c1.unsqueeze(-1) * o1 + c2.unsqueeze(-1) * o2


def _tree(leaves):
    if len(leaves) == 1:
        return leaves[0]
    middle = len(leaves) // 2
    return _merge(_tree(leaves[:middle]), _tree(leaves[middle:]))


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    q = pseudo_query.to(wide)
    leaves = []
    for v in [embedding, *previous_outputs.unbind(0)]:
        v = v.to(wide)
        logit = (v @ q) * torch.rsqrt(v.square().mean(-1) + eps)
        leaves.append((logit, torch.ones_like(logit), v))
    m, z, o = _tree(leaves)
    weights = torch.stack([torch.exp(logit - m) / z for logit, _, _ in leaves])
    return {
        "retrieved_representation": (o / z.unsqueeze(-1)).to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
