# verdict: wrong_answer
# traps: l2_normalized_keys, normalized_query
"""F.cosine_similarity of query and source for the score: both have length one."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    unit_sources = F.normalize(sources, dim=-1, eps=eps)  # <- mistake
    unit_query = F.normalize(pseudo_query, dim=-1, eps=eps)  # <- mistake
    cosine = unit_sources @ unit_query
    weights = torch.softmax(cosine, dim=0)
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * sources).sum(0),
        "attention_weights": weights,
    }
