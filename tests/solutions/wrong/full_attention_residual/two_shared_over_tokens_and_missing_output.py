# verdict: wrong_answer
# traps: shared_over_tokens, missing_output
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = F.rms_norm(sources, sources.shape[-1:], eps=eps)
    logits = keys @ pseudo_query
    scores = logits.mean(dim=(1, 2), keepdim=True)  # one score per layer  # <- mistake
    weights = F.softmax(scores, dim=0).expand_as(logits)
    h = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return {"retrieved_representation": h}  # <- mistake
