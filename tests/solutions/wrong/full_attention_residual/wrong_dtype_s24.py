# verdict: wrong_answer
# traps: wrong_dtype
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    vs = [embedding]
    for n in range(previous_outputs.shape[0]):
        vs.append(previous_outputs[n])

    scores = []
    for v in vs:
        r = torch.sqrt((v * v).mean(dim=2, keepdim=True) + eps)
        scores.append(torch.matmul(v / r, pseudo_query))
    alphas = torch.softmax(torch.stack(scores), dim=0)

    h = torch.zeros(B, T, D, device=embedding.device)  # <- mistake
    for n, v in enumerate(vs):
        h = h + alphas[n][:, :, None] * v
    return {"retrieved_representation": h, "attention_weights": alphas}
