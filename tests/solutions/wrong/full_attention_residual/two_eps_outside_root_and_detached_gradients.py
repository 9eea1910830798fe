# verdict: wrong_answer
# traps: eps_outside_root, detached_gradients
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    with torch.no_grad():  # <- mistake
        rms = torch.sqrt(torch.mean(sources**2, dim=-1, keepdim=True))
    keys = sources / (rms + eps)  # <- mistake
    weights = torch.softmax(torch.matmul(keys, pseudo_query), dim=0)
    h = torch.sum(weights[..., None] * sources, dim=0)
    return {"retrieved_representation": h, "attention_weights": weights}
