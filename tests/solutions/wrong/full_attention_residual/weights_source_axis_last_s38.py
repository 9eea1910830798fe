# verdict: wrong_answer
# traps: weights_source_axis_last
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # (B, T, S, D) is the friendlier layout: sources of one token side by side
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).permute(1, 2, 0, 3)
    keys = sources * torch.rsqrt(sources.pow(2).mean(dim=-1, keepdim=True) + eps)
    logits = torch.einsum("btsd,d->bts", keys, pseudo_query)
    weights = logits.softmax(dim=-1)
    retrieved = torch.einsum("bts,btsd->btd", weights, sources)
    return {
        "retrieved_representation": retrieved,
        "attention_weights": weights,  # <- mistake
    }
