# verdict: wrong_answer
# traps: embedding_twice
"""The running list of states starts with the embedding, and the loop over depth adds it again."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    states = [embedding]
    for state in (embedding, *previous_outputs):  # <- mistake
        states.append(state)
    values = torch.stack(states)
    keys = F.rms_norm(values, values.shape[-1:], eps=eps)
    attn = F.softmax(keys.matmul(pseudo_query), dim=0)
    return {
        "retrieved_representation": attn.unsqueeze(-1).mul(values).sum(dim=0),
        "attention_weights": attn,
    }
