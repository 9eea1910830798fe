# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding[None], previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    # first half of the features is for matching, second half carries content
    half = (v.shape[-1] + 1) // 2
    logits = k[..., :half] @ pseudo_query[:half]  # <- mistake
    a = torch.softmax(logits, 0)
    h = (v * a.unsqueeze(-1)).sum(0)
    return {"retrieved_representation": h, "attention_weights": a}
