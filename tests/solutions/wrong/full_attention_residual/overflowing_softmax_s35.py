# verdict: wrong_answer
# traps: overflowing_softmax
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    if dtype in (torch.float16, torch.bfloat16):
        embedding = embedding.float()
        previous_outputs = previous_outputs.float()
        pseudo_query = pseudo_query.float()

    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = v / torch.sqrt((v**2).mean(dim=-1, keepdim=True) + eps)
    l = (k * pseudo_query).sum(dim=-1)
    e = torch.exp(l)  # <- mistake
    alpha = e / e.sum(dim=0, keepdim=True)
    h = (alpha[..., None] * v).sum(dim=0)
    return {"retrieved_representation": h.to(dtype), "attention_weights": alpha.to(dtype)}
