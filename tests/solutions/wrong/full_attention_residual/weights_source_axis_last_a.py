# verdict: wrong_answer
# traps: weights_source_axis_last
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    hist = torch.stack((embedding, *previous_outputs), dim=2).to(wide)  # B,T,S,D
    keys = hist / hist.pow(2).mean(dim=-1, keepdim=True).add(eps).sqrt()
    scores = torch.einsum("btsd,d->bts", keys, pseudo_query.to(wide))
    weights = torch.softmax(scores, dim=-1)
    mixed = torch.einsum("bts,btsd->btd", weights, hist)
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),  # <- mistake
    }
