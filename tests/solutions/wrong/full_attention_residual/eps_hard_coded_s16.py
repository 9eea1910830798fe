# verdict: wrong_answer
# traps: eps_hard_coded
import torch
import torch.nn.functional as F
from torch import Tensor


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    width = embedding.shape[-1]
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = F.rms_norm(sources, (width,))  # <- mistake
    logits = keys @ pseudo_query
    attention_weights = logits.softmax(dim=0)
    retrieved = (attention_weights.unsqueeze(-1) * sources).sum(dim=0)
    return {
        "retrieved_representation": retrieved,
        "attention_weights": attention_weights,
    }
