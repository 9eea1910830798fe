# verdict: wrong_answer
# traps: l2_normalized_keys
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    acc = torch.float64 if embedding.dtype == torch.float64 else torch.float32
    v = torch.vstack((embedding.unsqueeze(0), previous_outputs)).to(acc)
    k = F.normalize(v, dim=-1, eps=eps)  # <- mistake
    a = F.softmax(F.linear(k, pseudo_query.to(acc)[None]), dim=0)  # (S, B, T, 1)
    return {
        "retrieved_representation": torch.sum(a * v, dim=0).to(embedding.dtype),
        "attention_weights": a[..., 0].to(embedding.dtype),
    }
