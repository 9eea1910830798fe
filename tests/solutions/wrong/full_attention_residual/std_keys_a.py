# verdict: wrong_answer
# traps: std_keys
import torch
from torch import Tensor


def standardise(x: Tensor, eps: float) -> Tensor:
    """Bring every vector to unit scale along its last axis."""
    variance = x.var(dim=-1, correction=0, keepdim=True)  # <- mistake
    return x / (variance + eps).sqrt()


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    dtype = embedding.dtype
    precise = torch.promote_types(dtype, torch.float32)
    query = pseudo_query.to(precise)

    def read_token(layers: Tensor, first: Tensor) -> tuple[Tensor, Tensor]:
        # layers (L, D), first (D,)
        v = torch.cat([first.unsqueeze(0), layers])
        a = torch.softmax(standardise(v, eps) @ query, dim=0)
        return a @ v, a

    over_sequence = torch.vmap(read_token, in_dims=(1, 0), out_dims=(0, 1))
    over_batch = torch.vmap(over_sequence, in_dims=(1, 0), out_dims=(0, 1))
    h, a = over_batch(previous_outputs.to(precise), embedding.to(precise))
    return {"retrieved_representation": h.to(dtype), "attention_weights": a.to(dtype)}
