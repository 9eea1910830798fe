# verdict: wrong_answer
# traps: eps_outside_root, normalized_values
import torch


def rms_norm(x, eps):
    rms = x.pow(2).mean(dim=-1, keepdim=True).sqrt()
    return x / (rms + eps)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    normed = [rms_norm(embedding, eps)]
    for layer_output in previous_outputs:
        normed.append(rms_norm(layer_output, eps))

    scores = [torch.matmul(n, pseudo_query) for n in normed]
    weights = torch.softmax(torch.stack(scores), dim=0)

    retrieved = 0
    for weight, value in zip(weights, normed):  # <- mistake
        retrieved = retrieved + weight[..., None] * value
    return {"retrieved_representation": retrieved, "attention_weights": weights}
