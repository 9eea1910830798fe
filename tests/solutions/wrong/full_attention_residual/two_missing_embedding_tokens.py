# verdict: wrong_answer
# traps: missing_embedding, softmax_over_tokens
"""No embedding among the sources, and dim=-1 for the softmax."""
import torch
from torch import nn


class LayerMemory(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.norm = nn.RMSNorm(width, eps=eps, elementwise_affine=False)

    def forward(self, outputs, query):
        scores = self.norm(outputs).matmul(query)
        probs = nn.functional.softmax(scores, dim=-1)  # <- mistake
        return torch.sum(probs.unsqueeze(-1) * outputs, dim=0), probs


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    memory = LayerMemory(embedding.shape[-1], eps)
    read, probs = memory(previous_outputs, pseudo_query)  # <- mistake
    return {"retrieved_representation": read, "attention_weights": probs}
