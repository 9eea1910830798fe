# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    # bring batch to the front: (B, T, S, D)
    prev = previous_outputs.reshape(B, T, L, D)  # <- mistake
    v = torch.cat([embedding.reshape(B, T, 1, D), prev], dim=2)

    k = v / torch.sqrt(v.pow(2).mean(dim=-1, keepdim=True) + eps)
    alpha = torch.softmax(torch.matmul(k, pseudo_query), dim=2)
    h = torch.matmul(alpha.unsqueeze(2), v).squeeze(2)
    return {
        "retrieved_representation": h,
        "attention_weights": alpha.permute(2, 0, 1),
    }
