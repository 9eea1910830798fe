# verdict: wrong_answer
# traps: wrong_device
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    h = torch.zeros_like(embedding, device=device)  # <- mistake
    for w, s in zip(a, v):
        h = h + w[..., None] * s
    return {"retrieved_representation": h, "attention_weights": a}
