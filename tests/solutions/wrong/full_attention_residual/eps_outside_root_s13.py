# verdict: wrong_answer
# traps: eps_outside_root
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding[None], previous_outputs])
    d = v.shape[-1]
    norm = torch.linalg.vector_norm(v, dim=-1, keepdim=True)
    k = v / (norm / d**0.5 + eps)  # <- mistake
    a = torch.softmax(k @ pseudo_query, dim=0)
    return {
        "retrieved_representation": (a[..., None] * v).sum(0),
        "attention_weights": a,
    }
