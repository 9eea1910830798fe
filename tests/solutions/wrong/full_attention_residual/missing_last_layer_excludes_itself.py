# verdict: wrong_answer
# traps: missing_last_layer
"""Believes the newest entry to be the reader's own output, and cuts it off so as not to peek."""
import torch
from torch import nn


class DepthReader(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.norm = nn.RMSNorm(width, eps=eps, elementwise_affine=False)

    def forward(self, x, past, query):
        past = past[:-1]  # a layer must not read itself  # <- mistake
        bank = torch.cat((x[None], past))
        probs = (self.norm(bank) @ query).softmax(dim=0)
        return torch.einsum("nbt,nbtd->btd", probs, bank), probs


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    read, probs = DepthReader(embedding.size(-1), eps)(embedding, previous_outputs, pseudo_query)
    return {"retrieved_representation": read, "attention_weights": probs}
