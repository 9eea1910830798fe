# verdict: wrong_answer
# traps: normalized_values
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    e, F, w = embedding.to(wide), previous_outputs.to(wide), pseudo_query.to(wide)

    V = torch.cat([e[None], F])
    K = V / torch.sqrt(torch.mean(V**2, dim=-1, keepdim=True) + eps)
    logits = torch.sum(K * w, dim=-1)
    alpha = torch.softmax(logits, dim=0)
    h = torch.sum(alpha[..., None] * K, dim=0)  # <- mistake

    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": alpha.to(embedding.dtype),
    }
