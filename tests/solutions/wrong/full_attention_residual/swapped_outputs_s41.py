# verdict: wrong_answer
# traps: swapped_outputs
import torch
import torch.nn.functional as F

OUTPUT_NAMES = ("retrieved_representation", "attention_weights")


def depth_attention(sources, query, eps):
    keys = F.rms_norm(sources, sources.shape[-1:], eps=eps)
    weights = F.softmax(keys @ query, dim=0)
    mixed = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return weights, mixed


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    mixed, weights = depth_attention(sources, pseudo_query, eps)  # <- mistake
    return dict(zip(OUTPUT_NAMES, (mixed, weights)))
