# verdict: wrong_answer
# traps: missing_last_layer, normalized_values
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L = previous_outputs.shape[0]
    sources = [embedding]
    for i in range(L - 1):  # <- mistake
        sources.append(previous_outputs[i])

    if L == 0:
        return {
            "retrieved_representation": embedding,
            "attention_weights": torch.ones_like(embedding[..., 0])[None],
        }

    keys, logits = [], []
    for v in sources:
        k = v / torch.sqrt(v.pow(2).mean(-1, keepdim=True) + eps)
        keys.append(k)
        logits.append((k * pseudo_query).sum(-1))
    weights = torch.softmax(torch.stack(logits), dim=0)

    h = torch.zeros_like(embedding)
    for i in range(len(sources)):
        h = h + weights[i][..., None] * keys[i]  # <- mistake
    return {"retrieved_representation": h, "attention_weights": weights}
