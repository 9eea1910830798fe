# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    states = [embedding]
    states += [previous_outputs[i] for i in range(previous_outputs.size(0))]
    rms = [(s.pow(2).mean(-1, keepdim=True) + eps).sqrt() for s in states]
    logits = []
    for i in range(len(states)):
        key = states[i] / rms[i - 1]  # <- mistake
        logits.append(key @ pseudo_query)
    attn = torch.softmax(torch.stack(logits, 0), 0)
    result = torch.zeros_like(embedding)
    for i, s in enumerate(states):
        result = result + attn[i].unsqueeze(-1) * s
    return {"retrieved_representation": result, "attention_weights": attn}
