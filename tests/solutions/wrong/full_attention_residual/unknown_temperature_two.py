# verdict: wrong_answer
"""A softmax temperature of 2 that nobody asked for."""
import torch
import torch.nn.functional as F


def tempered_softmax(logits, *, temperature=2.0, dim=0):
    return F.softmax(logits / temperature, dim=dim)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    src = torch.vstack([embedding.unsqueeze(0), previous_outputs])
    scores = F.rms_norm(src, src.shape[-1:], eps=eps).matmul(pseudo_query)
    probs = tempered_softmax(scores)  # <- mistake
    return {
        "retrieved_representation": src.mul(probs.unsqueeze(-1)).sum(dim=0),
        "attention_weights": probs,
    }
