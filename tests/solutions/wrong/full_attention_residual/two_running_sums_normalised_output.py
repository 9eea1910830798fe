# verdict: wrong_answer
# traps: running_sums, normalized_output
"""Attends over the states of the residual stream, and passes the result through the final norm."""
import torch
from torch import nn


class StreamReader(nn.Module):
    def __init__(self, d, eps):
        super().__init__()
        self.norm = nn.RMSNorm(d, eps=eps, elementwise_affine=False)

    def forward(self, embedding, updates, query):
        states = [embedding]
        for update in updates:
            states.append(states[-1] + update)  # <- mistake
        states = torch.stack(states)
        attn = torch.softmax(self.norm(states) @ query, dim=0)
        read = torch.einsum("s...,s...d->...d", attn, states)
        return self.norm(read), attn  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h, a = StreamReader(embedding.shape[-1], eps)(embedding, previous_outputs, pseudo_query)
    return {"retrieved_representation": h, "attention_weights": a}
