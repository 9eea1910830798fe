# verdict: wrong_answer
# traps: scaled_by_sqrt_width
import torch
from torch import nn


class FullAttentionResidual(nn.Module):
    """Attention over depth. The pseudo query plays the role of a single head."""

    def __init__(self, width: int, eps: float):
        super().__init__()
        self.width = width
        self.eps = eps
        self.head_dim = width
        self.scale = self.head_dim**-0.5

    def make_keys(self, x):
        variance = x.pow(2).mean(-1, keepdim=True)
        return x * torch.rsqrt(variance + self.eps)

    def forward(self, embedding, previous_outputs, pseudo_query):
        x = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
        k = self.make_keys(x)
        q = pseudo_query * self.scale  # <- mistake
        logits = torch.matmul(k, q)
        probs = torch.nn.functional.softmax(logits, dim=0)
        context = (probs.unsqueeze(-1) * x).sum(0)
        return context, probs


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    input_dtype = embedding.dtype
    if input_dtype == torch.float16 or input_dtype == torch.bfloat16:
        embedding, previous_outputs, pseudo_query = (
            embedding.to(torch.float32),
            previous_outputs.to(torch.float32),
            pseudo_query.to(torch.float32),
        )
    module = FullAttentionResidual(embedding.shape[-1], eps)
    context, probs = module(embedding, previous_outputs, pseudo_query)
    return {
        "retrieved_representation": context.to(input_dtype),
        "attention_weights": probs.to(input_dtype),
    }
