# verdict: wrong_answer
# traps: eps_ignored
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    L = previous_outputs.shape[0]
    retrieved = torch.zeros((B, T, D), dtype=embedding.dtype, device=embedding.device)
    attn = torch.zeros((L + 1, B, T), dtype=embedding.dtype, device=embedding.device)

    for b in range(B):
        for t in range(T):
            v = torch.cat([embedding[b, t].unsqueeze(0), previous_outputs[:, b, t]], 0)
            rms = torch.sqrt(torch.mean(v**2, dim=-1, keepdim=True))  # <- mistake
            k = v / rms
            l = (k * pseudo_query).sum(-1)
            alpha = torch.softmax(l, dim=0)
            attn[:, b, t] = alpha
            retrieved[b, t] = (alpha.unsqueeze(-1) * v).sum(0)

    return {"retrieved_representation": retrieved, "attention_weights": attn}
