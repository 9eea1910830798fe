# verdict: wrong_answer
# traps: missing_embedding
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if len(previous_outputs) == 0:
        ones = torch.ones_like(embedding[..., 0]).unsqueeze(0)
        return {"retrieved_representation": embedding, "attention_weights": ones}
    v = previous_outputs  # <- mistake
    k = v / torch.sqrt((v**2).mean(-1, keepdim=True) + eps)
    scores = k @ pseudo_query
    a = torch.softmax(scores, dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": a}
