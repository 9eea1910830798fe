# verdict: wrong_answer
# traps: log_weights
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    hi = torch.float64 if embedding.dtype == torch.float64 else torch.float32
    emb, outs, query = embedding.to(hi), previous_outputs.to(hi), pseudo_query.to(hi)

    def per_source(x):
        return F.rms_norm(x, x.shape[-1:], eps=eps).mv(query)  # x: (tokens, width)

    B, T, D = emb.shape
    stacked = torch.cat([emb.reshape(1, B * T, D), outs.reshape(outs.size(0), B * T, D)])
    log_w = F.log_softmax(torch.stack([per_source(x) for x in stacked]), dim=0)
    mixed = torch.exp(log_w).mul(stacked.permute(2, 0, 1)).sum(1)  # D, N
    answer = {
        "retrieved_representation": mixed.T.reshape(B, T, D),
        "attention_weights": log_w.reshape(-1, B, T),  # <- mistake
    }
    return {name: tensor.to(embedding.dtype) for name, tensor in answer.items()}
