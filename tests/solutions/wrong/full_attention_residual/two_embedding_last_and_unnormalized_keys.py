# verdict: wrong_answer
# traps: embedding_last, unnormalized_keys
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    states = []
    for i in range(previous_outputs.shape[0]):
        states.append(previous_outputs[i])
    states.append(embedding)  # <- mistake

    logits = []
    for s in states:
        logits.append((s * pseudo_query).sum(dim=-1))  # <- mistake
    logits = torch.stack(logits, dim=0)

    weights = torch.softmax(logits, dim=0)

    result = torch.zeros_like(embedding)
    for i in range(len(states)):
        result = result + weights[i][:, :, None] * states[i]
    return {"retrieved_representation": result, "attention_weights": weights}
