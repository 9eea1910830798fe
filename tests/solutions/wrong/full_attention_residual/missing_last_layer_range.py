# verdict: wrong_answer
# traps: missing_last_layer
"""Counts L sources, where there are L + 1, so that the loop stops one layer early."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    num_layers = previous_outputs.shape[0]

    # 1. collect the sources, oldest first
    sources = [embedding]
    for layer_index in range(1, num_layers):  # <- mistake
        sources.append(previous_outputs[layer_index - 1])

    # 2. score each of them
    scores = []
    for source in sources:
        mean_square = (source ** 2).mean(dim=-1, keepdim=True)
        key = source / torch.sqrt(mean_square + eps)
        scores.append(torch.matmul(key, pseudo_query))

    # 3. softmax over depth
    attention_weights = torch.softmax(torch.stack(scores, dim=0), dim=0)

    # 4. weighted sum
    retrieved = torch.zeros_like(embedding)
    for weight, source in zip(attention_weights, sources):
        retrieved = retrieved + weight[:, :, None] * source

    return {"retrieved_representation": retrieved, "attention_weights": attention_weights}
