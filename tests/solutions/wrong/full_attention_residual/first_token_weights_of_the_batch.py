# verdict: wrong_answer
# traps: first_token_weights
"""'One query, so one weight for each layer': looks at a single token of the whole batch."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, _ = embedding.shape
    layers = [embedding] + list(previous_outputs.unbind(dim=0))
    scores = []
    for layer in layers:
        token = layer[0, 0]  # <- mistake
        key = token / torch.sqrt(torch.mean(token * token) + eps)
        scores.append(torch.dot(key, pseudo_query))
    alphas = torch.softmax(torch.stack(scores), dim=0)
    result = sum(alpha * layer for alpha, layer in zip(alphas, layers))
    return {
        "retrieved_representation": result,
        "attention_weights": alphas[:, None, None].repeat(1, B, T),
    }
