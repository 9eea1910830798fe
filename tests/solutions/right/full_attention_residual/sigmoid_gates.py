# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Keep a normalised mix and pull it towards each new source by the share that it wins."""
    wide = torch.promote_types(embedding.dtype, torch.float32)
    w = pseudo_query.to(wide)

    def score(v):
        return torch.sum(v * w, -1) / torch.sqrt(torch.mean(v * v, -1) + eps)

    h = embedding.to(wide)
    log_mass = score(h)
    shares = [torch.ones_like(log_mass)]
    for f in previous_outputs.to(wide):
        s = score(f)
        gate = torch.sigmoid(s - log_mass)
        keep = torch.sigmoid(log_mass - s)
        h = keep.unsqueeze(-1) * h + gate.unsqueeze(-1) * f
        shares = [share * keep for share in shares] + [gate]
        log_mass = torch.logaddexp(log_mass, s)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": torch.stack(shares).to(embedding.dtype),
    }
