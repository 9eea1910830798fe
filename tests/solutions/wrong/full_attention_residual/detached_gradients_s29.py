# verdict: wrong_answer
# traps: detached_gradients
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)

    with torch.no_grad():  # <- mistake
        rms = torch.sqrt(sources.pow(2).mean(dim=-1, keepdim=True) + eps)
        keys = sources / rms
        logits = (keys * pseudo_query).sum(dim=-1)
        weights = torch.softmax(logits, dim=0)

    retrieved = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
