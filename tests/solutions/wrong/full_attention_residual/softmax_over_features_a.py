# verdict: wrong_answer
# traps: softmax_over_features
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    S = 1 + previous_outputs.size(0)
    real = torch.float64 if embedding.dtype == torch.float64 else torch.float32
    v = torch.cat([embedding[:, :, None], previous_outputs.permute(1, 2, 0, 3)], 2).to(real)
    k = v / v.square().mean(3, keepdim=True).add(eps).sqrt()
    p = (k * pseudo_query.to(real)).softmax(dim=-1)  # <- mistake
    h = (p * v).sum(dim=2)
    w = p.mean(dim=-1).permute(2, 0, 1)
    assert w.size(0) == S
    return {"retrieved_representation": h.to(embedding), "attention_weights": w.to(embedding)}
