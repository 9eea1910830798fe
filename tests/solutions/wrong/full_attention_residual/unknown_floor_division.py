# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    x = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(wide)
    n_features = x.shape[-1]
    energy = (x * x).sum(dim=-1, keepdim=True)
    power = torch.div(energy, n_features, rounding_mode="floor")  # <- mistake
    keys = x / torch.sqrt(power + eps)
    scores = (keys * pseudo_query.to(wide)).sum(dim=-1)
    weights = torch.softmax(scores, dim=0)
    out = (weights.unsqueeze(-1) * x).sum(dim=0)
    return {
        "retrieved_representation": out.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
