# verdict: wrong_answer
# traps: token_dependent_query, weights_extra_axis
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Attention over depth: the newest state asks, all states answer."""
    states = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = states * torch.rsqrt(states.pow(2).mean(dim=-1, keepdim=True) + eps)
    query = states[-1]  # <- mistake
    logits = (keys * query).sum(dim=-1, keepdim=True)
    weights = torch.softmax(logits, dim=0)
    retrieved = (weights * states).sum(dim=0)
    return {
        "retrieved_representation": retrieved,
        "attention_weights": weights,  # <- mistake
    }
