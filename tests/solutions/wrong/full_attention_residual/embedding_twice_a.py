# verdict: wrong_answer
# traps: embedding_twice
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    work = torch.promote_types(embedding.dtype, torch.float32)
    w = pseudo_query.to(work)

    history = [embedding.to(work)]  # <- mistake
    for state in (embedding, *previous_outputs):
        history.append(state.to(work))

    def score(v):
        return torch.sum(w * v / torch.sqrt(torch.mean(v**2, -1, keepdim=True) + eps), -1)

    logits = torch.stack(list(map(score, history)))
    top = logits.amax(0, keepdim=True)
    p = torch.exp(logits - top)
    p = p / p.sum(0, keepdim=True)
    h = torch.stack([a.unsqueeze(-1) * v for a, v in zip(p, history)]).sum(0)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": p.to(embedding.dtype),
    }
