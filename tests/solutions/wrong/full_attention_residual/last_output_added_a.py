# verdict: wrong_answer
# traps: last_output_added
import torch
from torch import nn


class ResidualReader(nn.Module):
    def __init__(self, width, eps, dtype, device):
        super().__init__()
        self.norm = nn.RMSNorm(width, eps, elementwise_affine=False, device=device, dtype=dtype)

    def attend(self, stack, query):
        # stack: tokens, sources, width
        score = torch.matmul(self.norm(stack), query.unsqueeze(-1))
        prob = score.softmax(-2)
        return torch.matmul(prob.transpose(-1, -2), stack).squeeze(-2), prob.squeeze(-1)

    def forward(self, stack, query):
        attended, prob = self.attend(stack, query)
        attended = attended + stack[:, -1]  # <- mistake
        return attended, prob


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    wide = torch.promote_types(embedding.dtype, torch.float32)
    stack = torch.stack([embedding, *previous_outputs], 2).flatten(0, 1).to(wide)
    reader = ResidualReader(D, eps, wide, embedding.device)
    h, p = reader(stack, pseudo_query.to(wide))
    return {
        "retrieved_representation": h.unflatten(0, (B, T)).to(embedding.dtype),
        "attention_weights": p.T.unflatten(1, (B, T)).to(embedding.dtype),
    }
