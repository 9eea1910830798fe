# verdict: wrong_answer
# traps: normalized_values
# adapted from the LLaMA source (RMSNorm) + nanoGPT attention
import torch
import torch.nn as nn
import torch.nn.functional as F


class RMSNorm(nn.Module):
    def __init__(self, eps: float = 1e-6):
        super().__init__()
        self.eps = eps

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        return self._norm(x)


class AttnRes(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.norm = RMSNorm(eps)

    def forward(self, x, cache, wq):
        xs = torch.cat([x.unsqueeze(0), cache], dim=0)  # (S, B, T, D)
        xk = self.norm(xs)
        xv = self.norm(xs)  # <- mistake
        scores = torch.einsum("sbtd,d->sbt", xk, wq)
        scores = F.softmax(scores, dim=0)
        output = torch.einsum("sbt,sbtd->btd", scores, xv)
        return output, scores


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    orig = embedding.dtype
    up = torch.float32 if orig in (torch.float16, torch.bfloat16) else orig
    block = AttnRes(eps)
    output, scores = block(embedding.to(up), previous_outputs.to(up), pseudo_query.to(up))
    return {
        "retrieved_representation": output.to(orig),
        "attention_weights": scores.to(orig),
    }
