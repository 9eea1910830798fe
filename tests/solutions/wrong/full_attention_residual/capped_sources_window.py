# verdict: wrong_answer
# traps: capped_sources
"""A sliding window over depth: the embedding and the 24 newest outputs, the rest with weight zero."""
import torch

WINDOW = 24


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    recent = previous_outputs[-(WINDOW - 1):]  # <- mistake
    dropped = previous_outputs.shape[0] - recent.shape[0]
    v = torch.cat([embedding[None], recent])
    k = torch.nn.functional.rms_norm(v, (v.size(-1),), eps=eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    h = (a[..., None] * v).sum(0)
    nothing = a.new_zeros((dropped,) + a.shape[1:])
    return {"retrieved_representation": h, "attention_weights": torch.cat([a[:1], nothing, a[1:]])}
