# verdict: wrong_answer
# traps: negated_logits
import torch
from torch import Tensor


def _boltzmann(energy: Tensor, dim: int) -> Tensor:
    """Boltzmann distribution at temperature one: p is proportional to exp(-energy)."""
    free_energy = -torch.logsumexp(-energy, dim=dim, keepdim=True)
    return torch.exp(free_energy - energy)


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    compute_dtype = torch.promote_types(embedding.dtype, torch.float32)
    states = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).to(compute_dtype)
    inverse_rms = torch.rsqrt(states.pow(2).mean(dim=-1) + eps)
    energy = torch.matmul(states, pseudo_query.to(compute_dtype)) * inverse_rms  # <- mistake
    probability = _boltzmann(energy, dim=0)
    expectation = (probability.unsqueeze(-1) * states).sum(dim=0)
    return {
        "retrieved_representation": expectation.to(embedding.dtype),
        "attention_weights": probability.to(embedding.dtype),
    }
