# verdict: wrong_answer
# traps: softmax_per_feature
import torch
from torch import nn


class ChannelMix(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps
        self.pick = nn.Softmax(dim=0)

    def forward(self, states, query):
        keys = nn.functional.rms_norm(states, states.shape[-1:], eps=self.eps)
        affinity = keys * query  # <- mistake
        gates = self.pick(affinity)
        return (gates * states).sum(0), gates.mean(-1)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = torch.promote_types(embedding.dtype, torch.float32)
    states = torch.cat((embedding.unsqueeze(0), previous_outputs)).to(dtype)
    mixed, gates = ChannelMix(eps)(states, pseudo_query.to(dtype))
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": gates.to(embedding.dtype),
    }
