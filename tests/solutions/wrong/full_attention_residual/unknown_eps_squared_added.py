# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.concat([embedding.unsqueeze(0), previous_outputs], dim=0)
    rms = torch.sqrt(v.square().mean(dim=-1, keepdim=True))
    rms = torch.sqrt(rms**2 + eps**2)  # <- mistake
    alpha = torch.softmax((v / rms) @ pseudo_query, dim=0)
    h = (alpha[..., None] * v).sum(dim=0)
    return {"retrieved_representation": h, "attention_weights": alpha}
