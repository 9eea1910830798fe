# verdict: accepted
import torch

SLOTS = 8


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Sources in a bank padded to a multiple of SLOTS; empty slots are masked out."""
    n = previous_outputs.shape[0] + 1
    size = -(-n // SLOTS) * SLOTS
    batch, seq, width = embedding.shape
    bank = torch.zeros(
        size, batch, seq, width, dtype=embedding.dtype, device=embedding.device
    )
    bank[0] = embedding
    bank[1:n] = previous_outputs
    empty = torch.arange(size, device=embedding.device) >= n

    keys = bank / torch.sqrt(bank.pow(2).mean(-1, keepdim=True) + eps)
    logits = torch.matmul(keys, pseudo_query)
    logits = logits.masked_fill(empty[:, None, None], float("-inf"))
    weights = torch.softmax(logits, dim=0)
    h = (weights.unsqueeze(-1) * bank).sum(0)
    return {"retrieved_representation": h, "attention_weights": weights[:n]}
