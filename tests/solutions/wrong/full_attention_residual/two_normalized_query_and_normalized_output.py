# verdict: wrong_answer
# traps: normalized_query, normalized_output
import torch
import torch.nn as nn


class RMSNorm(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        return x * torch.rsqrt(torch.mean(x * x, dim=-1, keepdim=True) + self.eps)


class AttentionResidual(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.k_norm = RMSNorm(eps)
        self.q_norm = RMSNorm(eps)
        self.out_norm = RMSNorm(eps)

    def forward(self, embedding, previous_outputs, query):
        values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
        k = self.k_norm(values)
        q = self.q_norm(query)  # <- mistake
        weights = (k @ q).softmax(dim=0)
        hidden = (weights.unsqueeze(-1) * values).sum(dim=0)
        if previous_outputs.shape[0] > 0:
            hidden = self.out_norm(hidden)  # <- mistake
        return {"retrieved_representation": hidden, "attention_weights": weights}


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return AttentionResidual(eps)(embedding, previous_outputs, pseudo_query)
