# verdict: wrong_answer
# traps: norm_over_tokens
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    b, t, d = embedding.shape
    up = embedding.dtype if embedding.dtype == torch.float64 else torch.float32

    # everything is worked out one sequence at a time: (S, T, D) blocks
    mixes, alphas = [], []
    for item in range(b):
        block = torch.stack([embedding[item], *previous_outputs[:, item]]).to(up)
        energy = block.pow(2).mean(dim=(1, 2), keepdim=True)  # <- mistake
        keys = block / torch.sqrt(energy + eps)
        alpha = torch.softmax(keys @ pseudo_query.to(up), dim=0)  # (S, T)
        mixes.append(torch.einsum("st,std->td", alpha, block))
        alphas.append(alpha)

    return {
        "retrieved_representation": torch.stack(mixes).to(embedding.dtype),
        "attention_weights": torch.stack(alphas, dim=1).to(embedding.dtype),
    }
