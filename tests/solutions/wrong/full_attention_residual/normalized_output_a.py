# verdict: wrong_answer
# traps: normalized_output
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    d = embedding.shape[-1]
    acc = torch.float64 if embedding.dtype == torch.float64 else torch.float32

    def norm(x):
        return F.rms_norm(x, [d], eps=eps)

    def attend(v):
        a = F.softmax(norm(v).matmul(pseudo_query.to(acc)), dim=0)
        return a, torch.einsum("kbt,kbtd->btd", a, v)

    a, h = attend(torch.cat([embedding.unsqueeze(0), previous_outputs]).to(acc))
    h = norm(h)  # <- mistake
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": a.to(embedding.dtype),
    }
