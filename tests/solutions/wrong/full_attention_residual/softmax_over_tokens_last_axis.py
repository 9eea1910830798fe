# verdict: wrong_answer
# traps: softmax_over_tokens
"""The habitual dim=-1, which is the token axis of the logits."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding[None], previous_outputs])
    keys = sources / torch.sqrt(sources.pow(2).mean(-1, keepdim=True) + eps)
    logits = keys @ pseudo_query
    attn = torch.softmax(logits, dim=-1)  # <- mistake
    return {
        "retrieved_representation": (attn.unsqueeze(-1) * sources).sum(0),
        "attention_weights": attn,
    }
