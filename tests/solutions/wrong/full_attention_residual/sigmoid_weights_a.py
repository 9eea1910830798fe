# verdict: wrong_answer
# traps: sigmoid_weights
import torch
from torch import Tensor


class Gate:
    """Strategy object: how scores become weights."""

    def __call__(self, scores: Tensor) -> Tensor:
        raise NotImplementedError


class SoftGate(Gate):
    def __call__(self, scores: Tensor) -> Tensor:
        return torch.softmax(scores, dim=0)


class IndependentGate(Gate):
    def __call__(self, scores: Tensor) -> Tensor:
        return torch.sigmoid(scores)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    gate: Gate = IndependentGate()  # <- mistake
    work = torch.promote_types(embedding.dtype, torch.float32)
    values = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(work)
    power = torch.einsum("lbtd,lbtd->lbt", values, values) / values.shape[-1]
    scores = torch.einsum("lbtd,d->lbt", values, pseudo_query.to(work)) / torch.sqrt(power + eps)
    weights = gate(scores)
    mixed = torch.einsum("lbtd,lbt->btd", values, weights)
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
