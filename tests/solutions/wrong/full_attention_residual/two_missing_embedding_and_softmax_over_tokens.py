# verdict: wrong_answer
# traps: missing_embedding, softmax_over_tokens
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if previous_outputs.shape[0] == 0:
        w = torch.ones((1,) + embedding.shape[:2], dtype=embedding.dtype, device=embedding.device)
        return {"retrieved_representation": embedding, "attention_weights": w}
    v = torch.stack([f for f in previous_outputs])  # <- mistake
    k = v / (torch.mean(v**2, -1, keepdim=True) + eps) ** 0.5
    l = k @ pseudo_query
    w = torch.softmax(l, -1)  # <- mistake
    h = (w.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": w}
