# verdict: wrong_answer
# traps: l2_normalized_keys
"""`sum` where the root mean square has a `mean`; eps is in its place."""
import torch


class RMSNorm:
    def __init__(self, eps):
        self.eps = eps

    def __call__(self, x):
        return x * torch.rsqrt(torch.sum(x * x, dim=-1, keepdim=True) + self.eps)  # <- mistake


class Softmax:
    def __init__(self, dim):
        self.dim = dim

    def __call__(self, x):
        return torch.softmax(x, self.dim)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    norm, softmax = RMSNorm(eps), Softmax(0)
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    a = softmax(norm(x) @ pseudo_query)
    y = (a.unsqueeze(-1) * x).sum(0)
    return {"retrieved_representation": y, "attention_weights": a}
