# verdict: accepted
import torch


def _read_chunk(v, w, eps):
    """(N, S, D) -> (N, D), (N, S)"""
    a = torch.softmax((v @ w) * torch.rsqrt(v.pow(2).mean(-1) + eps), dim=-1)
    return torch.bmm(a.unsqueeze(1), v).squeeze(1), a


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """A few tokens at a time, so that no buffer of all keys is needed."""
    batch, seq, width = embedding.shape
    e = embedding.reshape(batch * seq, width)
    f = previous_outputs.permute(1, 2, 0, 3).reshape(batch * seq, len(previous_outputs), width)
    hs, weights = [], []
    for start in range(0, batch * seq, 3):
        stop = start + 3
        v = torch.cat([e[start:stop].unsqueeze(1), f[start:stop]], dim=1)
        h, a = _read_chunk(v, pseudo_query, eps)
        hs.append(h)
        weights.append(a)
    return {
        "retrieved_representation": torch.cat(hs).reshape(batch, seq, width),
        "attention_weights": torch.cat(weights).T.reshape(-1, batch, seq),
    }
