# verdict: wrong_answer
# traps: l2_normalized_keys, normalized_values
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    compute = torch.promote_types(embedding.dtype, torch.float32)
    x = torch.vstack([embedding.unsqueeze(0), previous_outputs]).to(compute)
    length = torch.sqrt((x**2).sum(-1, keepdim=True) + eps)  # <- mistake
    x = x / length  # <- mistake
    scores = x.matmul(pseudo_query.to(compute))
    w = torch.nn.Softmax(dim=0)(scores)
    h = (x * w[:, :, :, None]).sum(0)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": w.to(embedding.dtype),
    }
