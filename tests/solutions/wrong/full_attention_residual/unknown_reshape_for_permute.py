# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    b, t, d = embedding.shape
    stacked = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    s = stacked.shape[0]
    per_token = stacked.reshape(b * t, s, d)  # <- mistake
    keys = per_token / torch.sqrt(per_token.pow(2).mean(-1, keepdim=True) + eps)
    logits = torch.matmul(keys, pseudo_query)
    weights = torch.softmax(logits, dim=-1)
    out = torch.bmm(weights.unsqueeze(1), per_token).squeeze(1)
    return {
        "retrieved_representation": out.reshape(b, t, d),
        "attention_weights": weights.t().reshape(s, b, t),
    }
