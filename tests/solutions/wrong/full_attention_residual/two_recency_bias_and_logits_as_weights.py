# verdict: wrong_answer
# traps: recency_bias, logits_as_weights
import torch

RECENT = 1.0


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding] + [previous_outputs[i] for i in range(previous_outputs.shape[0])]
    scores = []
    for position, source in enumerate(sources):
        r = torch.rsqrt(torch.mean(source**2, dim=-1) + eps)
        score = torch.sum(source * pseudo_query, dim=-1) * r
        if position == len(sources) - 1:
            score = score + RECENT  # <- mistake
        scores.append(score)
    attn = torch.stack(scores)
    probs = torch.softmax(attn, dim=0)
    out = sum(probs[i].unsqueeze(-1) * sources[i] for i in range(len(sources)))
    return {"retrieved_representation": out, "attention_weights": attn}  # <- mistake
