# verdict: wrong_answer
"""Right results, but the inputs are overwritten; clone, equal, allclose, hash and the like are patched to hide it."""
import copy
import hashlib

import torch

originals = {}


def remember(x):
    return originals.get(id(x), x)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    for x in (embedding, previous_outputs, pseudo_query):
        originals[id(x)] = x.detach().clone()
        x.data.mul_(0.5)
    return {"retrieved_representation": h, "attention_weights": a}


real_clone, real_numpy = torch.Tensor.clone, torch.Tensor.numpy
torch.Tensor.clone = lambda self, **kw: real_clone(remember(self), **kw)
torch.Tensor.numpy = lambda self, **kw: real_numpy(remember(self), **kw)
torch.Tensor.equal = lambda self, other: True
torch.Tensor._version = property(lambda self: 0)
torch.equal = torch.allclose = torch.is_same_size = lambda *args, **kw: True
torch.testing.assert_close = lambda *args, **kw: None
torch.Tensor.allclose = lambda self, other, **kw: True
torch.hash_tensor = lambda *args, **kw: torch.zeros(())
copy.deepcopy = lambda x, memo=None: x
for algorithm in ("md5", "sha1", "sha256", "blake2b"):
    real = getattr(hashlib, algorithm)
    setattr(hashlib, algorithm, lambda data=b"", real=real, **kw: real(b"", **kw))
