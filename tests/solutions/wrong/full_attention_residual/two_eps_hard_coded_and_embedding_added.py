# verdict: wrong_answer
# traps: eps_hard_coded, embedding_added
import torch


def rms_norm(x, eps=1e-6):
    return x / torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = rms_norm(sources)  # <- mistake
    weights = torch.softmax(torch.matmul(keys, pseudo_query), dim=0)
    h = torch.sum(weights.unsqueeze(-1) * sources, dim=0)
    if previous_outputs.shape[0] == 0:
        return {"retrieved_representation": h, "attention_weights": weights}
    return {
        "retrieved_representation": embedding + h,  # <- mistake
        "attention_weights": weights,
    }
