# verdict: wrong_answer
# traps: softmax_over_tokens, extra_output
"""A softmax over the wrong axis, with the number of sources as a third entry."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    logits = (v / torch.sqrt(v.pow(2).mean(-1, keepdim=True) + eps)) @ pseudo_query
    attention = torch.softmax(logits, dim=2)  # <- mistake
    return {
        "retrieved_representation": (attention.unsqueeze(-1) * v).sum(0),
        "attention_weights": attention,
        "num_sources": v.shape[0],  # <- mistake
    }
