# verdict: wrong_answer
# traps: token_dependent_query
import torch
from torch import nn


class AttentionResidual(nn.Module):
    def __init__(self, pseudo_query, eps):
        super().__init__()
        self.pseudo_query = pseudo_query
        self.eps = eps

    def _queries(self, states):
        return states[-1]  # <- mistake

    def _keys(self, states):
        return states * torch.rsqrt(states.pow(2).mean(dim=-1, keepdim=True) + self.eps)

    def forward(self, states):
        logits = torch.einsum("btd,sbtd->sbt", self._queries(states), self._keys(states))
        weights = logits.softmax(dim=0)
        return torch.einsum("sbt,sbtd->btd", weights, states), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    up = torch.promote_types(dtype, torch.float32)
    states = torch.cat([embedding[None], previous_outputs]).to(up)
    h, a = AttentionResidual(pseudo_query.to(up), eps)(states)
    return {"retrieved_representation": h.to(dtype), "attention_weights": a.to(dtype)}
