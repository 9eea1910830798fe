# verdict: wrong_answer
# traps: wrong_device
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    logits = torch.zeros(L + 1, B, T, dtype=embedding.dtype)  # <- mistake
    for i in range(L + 1):
        if i == 0:
            v = embedding
        else:
            v = previous_outputs[i - 1]
        rms = torch.sqrt((v * v).mean(dim=-1, keepdim=True) + eps)
        logits[i] = (v / rms) @ pseudo_query

    weights = torch.softmax(logits, dim=0)
    out = torch.zeros_like(embedding)
    for i in range(L + 1):
        if i == 0:
            v = embedding
        else:
            v = previous_outputs[i - 1]
        out = out + weights[i].unsqueeze(-1) * v
    return {"retrieved_representation": out, "attention_weights": weights}
