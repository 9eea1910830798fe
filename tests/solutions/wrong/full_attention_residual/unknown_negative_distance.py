# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Nearest earlier state in key space gets the biggest weight."""
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    logits = -torch.linalg.vector_norm(k - pseudo_query, dim=-1)  # <- mistake
    alpha = torch.softmax(logits, dim=0)
    h = (alpha.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": alpha}
