# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    num_layers = previous_outputs.shape[0]
    if num_layers == 0:
        ones = torch.ones_like(embedding[..., 0])
        return {"retrieved_representation": embedding, "attention_weights": ones[None]}

    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    ms = sources.square().mean(dim=-1, keepdim=True)
    logits = ((sources * torch.rsqrt(ms + eps)) * pseudo_query).sum(dim=-1)
    weights = torch.softmax(logits, dim=0)

    total = torch.zeros_like(embedding)
    for i in range(num_layers):  # <- mistake
        total = total + weights[i][..., None] * sources[i]
    return {"retrieved_representation": total, "attention_weights": weights}
