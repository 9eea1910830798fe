# verdict: wrong_answer
# traps: normalized_values
# Port of my numpy version. axis/keepdims work in torch too.
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.concatenate([embedding[None, ...], previous_outputs], axis=0)
    ms = torch.mean(torch.square(v), axis=-1, keepdims=True)
    k = v / torch.sqrt(ms + eps)
    l = torch.sum(k * pseudo_query[None, None, None, :], axis=-1)
    l = l - torch.amax(l, axis=0, keepdims=True)
    e = torch.exp(l)
    a = e / torch.sum(e, axis=0, keepdims=True)
    h = torch.sum(a[..., None] * k, axis=0)  # <- mistake
    return dict(retrieved_representation=h, attention_weights=a)
