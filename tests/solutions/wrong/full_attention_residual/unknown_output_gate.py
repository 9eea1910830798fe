# verdict: wrong_answer
"""A gate by the embedding on the result, as in gated attention."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    a = F.softmax(F.rms_norm(v, v.shape[-1:], eps=eps) @ pseudo_query, dim=0)
    h = torch.sigmoid(embedding) * torch.einsum("sbt,sbtd->btd", a, v)  # <- mistake
    return {"retrieved_representation": h, "attention_weights": a}
