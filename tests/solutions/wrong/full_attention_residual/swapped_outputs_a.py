# verdict: wrong_answer
# traps: swapped_outputs
import torch

NAMES = ("attention_weights", "retrieved_representation")  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    comp = torch.float64 if embedding.dtype == torch.float64 else torch.float32
    q = pseudo_query.to(comp)

    scores, values = [], []
    for src in [embedding, *previous_outputs.unbind()]:
        src = src.to(comp)
        inv_rms = torch.rsqrt(torch.mean(src * src, dim=-1) + eps)
        scores.append(inv_rms * torch.einsum("btd,d->bt", src, q))
        values.append(src)

    scores = torch.stack(scores)
    scores = scores - scores.detach().amax(dim=0)  # the shift drops out of the softmax
    weights = scores.exp()
    weights = weights / weights.sum(dim=0)
    mixed = torch.stack(values).mul(weights.unsqueeze(dim=-1)).sum(dim=0)
    return dict(zip(NAMES, (mixed.to(embedding.dtype), weights.to(embedding.dtype))))
