# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    src = torch.stack((embedding, *previous_outputs), dim=-2)
    mean_sq = src.square().mean(dim=-1, keepdim=True)
    keys = src * (mean_sq + eps).pow(-0.25)  # <- mistake
    scores = keys.matmul(pseudo_query)
    attn = scores.softmax(dim=-1)
    out = attn.unsqueeze(-2).matmul(src).squeeze(-2)
    return {
        "retrieved_representation": out,
        "attention_weights": attn.movedim(-1, 0),
    }
