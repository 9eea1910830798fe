# verdict: wrong_answer
# traps: absolute_logits
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    n = previous_outputs.shape[0] + 1
    f = torch.float64 if embedding.dtype == torch.float64 else torch.float32
    w = pseudo_query.to(f)

    def v(i):
        return (previous_outputs[i - 1] if i else embedding).to(f)

    def k(i):
        return v(i) / (v(i).pow(2).mean(-1, True) + eps).sqrt()

    def l(i):
        return (k(i) * w).sum(-1).abs()  # <- mistake

    top = l(0)
    for i in range(1, n):
        top = torch.maximum(top, l(i))

    def unnormalised(i):
        return (l(i) - top).exp()

    z = sum(unnormalised(i) for i in range(n))
    alpha = torch.stack([unnormalised(i) / z for i in range(n)])
    h = sum(alpha[i][..., None] * v(i) for i in range(n))
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": alpha.to(embedding.dtype),
    }
