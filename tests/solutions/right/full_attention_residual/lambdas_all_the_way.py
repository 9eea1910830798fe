# verdict: accepted
# ruff: noqa: E731
import torch
import torch.nn.functional as F

_mix = lambda v, a: {
    "retrieved_representation": (a[..., None] * v).sum(0),
    "attention_weights": a,
}
_read = lambda v, w, eps: _mix(v, F.softmax(F.rms_norm(v, w.shape, eps=eps) @ w, 0))
full_attention_residual = lambda embedding, previous_outputs, pseudo_query, eps=1e-6: (
    _read(torch.cat((embedding[None], previous_outputs)), pseudo_query, eps)
)
