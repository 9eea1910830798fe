# verdict: wrong_answer
# traps: shared_over_tokens
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    hi = torch.promote_types(embedding.dtype, torch.float32)
    V = torch.cat([embedding.reshape(1, -1, D), previous_outputs.flatten(1, 2)], 0).to(hi)
    r = torch.sqrt(torch.square(V).mean(-1) + eps)
    S = torch.tensordot(V, pseudo_query.to(hi), dims=1) / r  # (sources, tokens)
    S = S.mean(dim=1, keepdim=True).expand_as(S)  # <- mistake
    A = torch.exp(S - torch.logsumexp(S, dim=0))
    H = torch.bmm(A.t().unsqueeze(1), V.transpose(0, 1)).view(B, T, D)
    return {
        "retrieved_representation": H.to(embedding.dtype),
        "attention_weights": A.reshape(-1, B, T).to(embedding.dtype),
    }
