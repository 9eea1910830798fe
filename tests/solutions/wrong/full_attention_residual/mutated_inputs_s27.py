# verdict: wrong_answer
# traps: mutated_inputs
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L = previous_outputs.shape[0]
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = sources / torch.sqrt(sources.pow(2).mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys @ pseudo_query, dim=0)

    h = embedding
    h *= weights[0].unsqueeze(-1)  # <- mistake
    for i in range(L):
        h = h + weights[i + 1].unsqueeze(-1) * previous_outputs[i]

    return {"retrieved_representation": h, "attention_weights": weights}
