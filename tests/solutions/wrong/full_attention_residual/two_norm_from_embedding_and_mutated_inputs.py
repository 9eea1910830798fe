# verdict: wrong_answer
# traps: norm_from_embedding, mutated_inputs
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding] + [previous_outputs[i] for i in range(previous_outputs.shape[0])]

    logits = []
    for v in sources:
        rms = torch.sqrt(torch.mean(embedding**2, dim=-1, keepdim=True) + eps)  # <- mistake
        logits.append(torch.sum(v / rms * pseudo_query, dim=-1))
    weights = torch.softmax(torch.stack(logits, dim=0), dim=0)

    weighted = []
    for v, a in zip(sources, weights):
        v *= a.unsqueeze(-1)  # <- mistake
        weighted.append(v)
    h = torch.stack(weighted, dim=0).sum(dim=0)
    return {"retrieved_representation": h, "attention_weights": weights}
