# verdict: wrong_answer
# traps: embedding_twice, l2_normalized_keys
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    wide = torch.float64 if dtype == torch.float64 else torch.float32

    history = torch.cat([embedding[None], previous_outputs], 0).to(wide)
    # the stream itself starts as the embedding, then come the recorded states
    sources = torch.cat([embedding[None].to(wide), history], 0)  # <- mistake

    keys = F.normalize(sources, p=2, dim=-1, eps=eps)  # <- mistake
    scores = keys @ pseudo_query.to(wide)
    weights = F.softmax(scores, dim=0)
    out = torch.sum(weights[..., None] * sources, dim=0)
    return {
        "retrieved_representation": out.to(dtype),
        "attention_weights": weights.to(dtype),
    }
