# verdict: wrong_answer
# traps: eps_hard_coded, scaled_by_sqrt_width
"""An RMSNorm class with its own 1e-5, and the temperature of self-attention."""
import torch


class RMSNorm:
    eps = 1e-5

    def __call__(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)  # <- mistake


class Attention:
    norm = RMSNorm()

    def __call__(self, query, sources):
        logits = self.norm(sources) @ query
        weights = torch.softmax(logits / query.numel() ** 0.5, dim=0)  # <- mistake
        return torch.einsum("sbt,sbtd->btd", weights, sources), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h, w = Attention()(pseudo_query, torch.cat([embedding.unsqueeze(0), previous_outputs]))
    return {"retrieved_representation": h, "attention_weights": w}
