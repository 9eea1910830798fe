# verdict: accepted
"""In-place operations, but only on tensors it made itself."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    keys = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)  # cat copies
    scale = keys.square().mean(-1, keepdim=True)
    scale += eps
    scale = scale.rsqrt()

    previous_outputs = previous_outputs.clone()
    previous_outputs *= scale[1:]
    embedding_key = embedding * scale[0]

    logits = torch.empty_like(keys[..., 0])
    logits[0] = embedding_key @ pseudo_query
    logits[1:] = previous_outputs @ pseudo_query
    logits -= logits.detach().amax(0)
    alpha = logits.exp()
    alpha = alpha / alpha.sum(0)

    result = keys.clone()
    result *= alpha.unsqueeze(-1)
    return {"retrieved_representation": result.sum(0), "attention_weights": alpha}
