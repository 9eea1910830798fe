# verdict: wrong_answer
# traps: wrong_dtype
"""An accumulator in the default dtype: half results come out as float32 (type promotion saves float64)."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources / torch.sqrt(sources.square().mean(-1, keepdim=True) + eps)
    alpha = torch.softmax(keys @ pseudo_query, dim=0)
    h = torch.zeros(embedding.shape, device=embedding.device)  # <- mistake
    for a, v in zip(alpha, sources):
        h = h + a.unsqueeze(-1) * v
    return {"retrieved_representation": h, "attention_weights": alpha}
