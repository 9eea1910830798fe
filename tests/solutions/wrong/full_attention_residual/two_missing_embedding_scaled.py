# verdict: wrong_answer
# traps: missing_embedding, scaled_by_sqrt_width
"""Layer outputs only, and scored as in ordinary attention."""
import math

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    d_model = embedding.shape[-1]
    # memory of all layers, batch first: (batch, seq, layers, d_model)
    memory = previous_outputs.permute(1, 2, 0, 3)  # <- mistake
    keys = memory / torch.sqrt(memory.square().mean(-1, keepdim=True) + eps)
    scores = torch.matmul(keys, pseudo_query) / math.sqrt(d_model)  # <- mistake
    attn = torch.softmax(scores, dim=-1)
    context = torch.einsum("btl,btld->btd", attn, memory)
    return {"retrieved_representation": context, "attention_weights": attn.permute(2, 0, 1)}
