# verdict: wrong_answer
# traps: mean_instead_of_dot
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    S = previous_outputs.shape[0] + 1
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)

    logits = torch.zeros(S, B, T, dtype=embedding.dtype, device=embedding.device)
    for s in range(S):
        for b in range(B):
            for t in range(T):
                v = sources[s, b, t]
                k = v / torch.sqrt((v * v).mean() + eps)
                logits[s, b, t] = (k * pseudo_query).mean()  # <- mistake

    weights = torch.softmax(logits, dim=0)
    retrieved = torch.zeros_like(embedding)
    for s in range(S):
        retrieved = retrieved + weights[s].unsqueeze(-1) * sources[s]
    return {"retrieved_representation": retrieved, "attention_weights": weights}
