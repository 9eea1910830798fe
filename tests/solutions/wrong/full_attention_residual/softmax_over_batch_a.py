# verdict: wrong_answer
# traps: softmax_over_batch
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    L = len(previous_outputs)
    hi = embedding.dtype if embedding.dtype == torch.float64 else torch.float32

    rows = torch.empty(B, L + 1, T, D, dtype=hi, device=embedding.device)
    rows[:, 0] = embedding
    rows[:, 1:] = previous_outputs.transpose(0, 1)

    scores = (rows * (rows**2).mean(-1, keepdim=True).add(eps).pow(-0.5)).matmul(
        pseudo_query.to(hi)
    )  # B, S, T
    attn = scores.softmax(dim=0)  # <- mistake
    ctx = attn.unsqueeze(-1).mul(rows).sum(dim=1)

    out = {}
    out.update(retrieved_representation=ctx.to(embedding.dtype))
    out.update(attention_weights=attn.transpose(0, 1).to(embedding.dtype))
    return out
