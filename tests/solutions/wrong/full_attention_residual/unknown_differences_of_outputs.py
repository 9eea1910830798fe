# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # what each layer has added
    states = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    updates = [states[0]]
    for i in range(1, states.shape[0]):
        updates.append(states[i] - states[i - 1])  # <- mistake
    v = torch.stack(updates)
    k = v / torch.sqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    h = (a.unsqueeze(-1) * v).sum(dim=0)
    return {"retrieved_representation": h, "attention_weights": a}
