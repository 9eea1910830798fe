# verdict: wrong_answer
# traps: narrowed_float64
import torch
from torch import nn


class LlamaStyleRMSNorm(nn.Module):
    def __init__(self, eps: float = 1e-6):
        super().__init__()
        self.variance_epsilon = eps

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        input_dtype = hidden_states.dtype
        hidden_states = hidden_states.to(torch.float32)  # <- mistake
        variance = hidden_states.pow(2).mean(-1, keepdim=True)
        hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        return hidden_states.to(input_dtype)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    norm = LlamaStyleRMSNorm(eps)
    states = torch.cat([embedding[None], previous_outputs], dim=0)
    logits = torch.matmul(norm(states), pseudo_query)
    weights = nn.functional.softmax(logits, dim=0)
    mixed = torch.einsum("lbt,lbtd->btd", weights, states)
    return {"retrieved_representation": mixed, "attention_weights": weights}
