# verdict: wrong_answer
# traps: zero_layers
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # nothing to attend to
    if previous_outputs.shape[0] == 0:
        weights = embedding.new_ones(previous_outputs.shape[:-1])  # <- mistake
        return {"retrieved_representation": embedding, "attention_weights": weights}

    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    mean_sq = sources.square().mean(dim=-1, keepdim=True)
    keys = sources * torch.rsqrt(mean_sq + eps)
    logits = keys.matmul(pseudo_query)
    weights = logits.softmax(dim=0)
    retrieved = weights.unsqueeze(-1).mul(sources).sum(dim=0)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
