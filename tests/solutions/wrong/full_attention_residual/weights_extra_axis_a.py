# verdict: wrong_answer
# traps: weights_extra_axis
import torch
from torch import nn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    width = pseudo_query.shape[0]
    wide = torch.promote_types(embedding.dtype, torch.float32)

    # a bias-free projection whose only row is the pseudo-query
    proj = nn.Linear(width, 1, bias=False, device="meta")
    scorer = lambda x: torch.func.functional_call(proj, {"weight": pseudo_query[None].to(wide)}, x)

    sources = torch.cat([embedding[None], previous_outputs], dim=0).to(wide)
    scores = scorer(nn.functional.rms_norm(sources, (width,), eps=eps))
    weights = nn.functional.softmax(scores, dim=0)
    retrieved = (weights * sources).sum(dim=0)

    return {
        "retrieved_representation": retrieved.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),  # <- mistake
    }
