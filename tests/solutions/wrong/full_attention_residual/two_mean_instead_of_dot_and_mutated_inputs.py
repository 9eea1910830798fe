# verdict: wrong_answer
# traps: mean_instead_of_dot, mutated_inputs
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def logit(x):
        key = x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
        return (key * pseudo_query).mean(-1)  # <- mistake

    logits = [logit(embedding)]
    for f in previous_outputs:
        logits.append(logit(f))
    weights = torch.softmax(torch.stack(logits), dim=0)

    # accumulate in place, saves memory
    h = embedding
    h *= weights[0].unsqueeze(-1)  # <- mistake
    for w, f in zip(weights[1:], previous_outputs):
        h += w.unsqueeze(-1) * f
    return {"retrieved_representation": h, "attention_weights": weights}
