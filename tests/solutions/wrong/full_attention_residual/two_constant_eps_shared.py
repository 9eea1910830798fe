# verdict: wrong_answer
# traps: eps_hard_coded, shared_over_tokens
"""F.rms_norm without its eps, and one weight a layer from logits averaged over the sequence."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    scores = F.rms_norm(x, x.shape[-1:]) @ pseudo_query  # <- mistake
    pooled = scores.mean(dim=-1, keepdim=True)  # <- mistake
    w = pooled.softmax(dim=0).expand_as(scores)
    return {"retrieved_representation": (w.unsqueeze(-1) * x).sum(0), "attention_weights": w}
