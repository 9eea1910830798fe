# verdict: wrong_answer
# traps: unnormalized_keys
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Depth-wise attention written with torch.baddbmm, tokens flattened."""
    L, B, T, D = previous_outputs.shape
    S, N = L + 1, B * T
    dtype = embedding.dtype
    hi = dtype if dtype in (torch.float32, torch.float64) else torch.float32

    values = torch.cat([embedding.reshape(1, N, D), previous_outputs.reshape(L, N, D)], dim=0).to(hi)
    values = values.transpose(0, 1)  # (N, S, D)
    keys = values  # <- mistake

    bias = torch.zeros(N, S, 1, dtype=hi, device=embedding.device)
    query = pseudo_query.to(hi).expand(N, D).unsqueeze(2)
    logits = torch.baddbmm(bias, keys, query)  # (N, S, 1)
    logits = logits - logits.amax(dim=1, keepdim=True)
    weights = logits.exp() / logits.exp().sum(dim=1, keepdim=True)

    mixed = torch.bmm(weights.mT, values)
    return {
        "retrieved_representation": mixed.reshape(B, T, D).to(dtype),
        "attention_weights": weights.squeeze(2).t().reshape(S, B, T).to(dtype),
    }
