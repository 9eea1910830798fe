# verdict: runtime_error
# traps: zero_layers
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    t = torch.float64 if embedding.dtype == torch.float64 else torch.float32
    e, q = embedding.to(t), pseudo_query.to(t)
    inverse = lambda x: (x.square().mean(-1, keepdim=True) + eps).rsqrt()

    layers = torch.stack([f.to(t) for f in previous_outputs])  # <- mistake
    scores_f = ((layers * inverse(layers)) * q).sum(-1)
    score_e = ((e * inverse(e)) * q).sum(-1, keepdim=False)
    scores = torch.cat((score_e[None], scores_f))
    p = torch.softmax(scores - scores.amax(dim=0), dim=0)
    first, rest = p[0], p[1:]
    h = first.unsqueeze(-1) * e + torch.einsum("lbt,lbtd->btd", rest, layers)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": p.to(embedding.dtype),
    }
