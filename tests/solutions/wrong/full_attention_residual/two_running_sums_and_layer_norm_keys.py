# verdict: wrong_answer
# traps: running_sums, layer_norm_keys
import torch
from torch.nn import functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stream = embedding
    states = [stream]
    for out in previous_outputs:
        stream = stream + out
        states.append(stream)  # <- mistake
    states = torch.stack(states)
    keys = F.layer_norm(states, states.shape[-1:], eps=eps)  # <- mistake
    attn = (keys @ pseudo_query).softmax(dim=0)
    ctx = (attn.unsqueeze(-1) * states).sum(dim=0)
    return {"retrieved_representation": ctx, "attention_weights": attn}
