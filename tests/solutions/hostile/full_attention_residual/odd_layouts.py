# verdict: wrong_answer | runtime_error
"""Sparse, meta, quantized, nested and complex tensors: none of them has the plain bytes an encoder expects."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h = torch.zeros(embedding.shape, dtype=embedding.dtype)
    a = torch.zeros(len(previous_outputs) + 1, *embedding.shape[:2])
    makers = [
        lambda x: x.to_sparse(),
        lambda x: x.to("meta"),
        lambda x: torch.quantize_per_tensor(x.float(), 0.1, 0, torch.qint8),
        lambda x: torch.nested.nested_tensor([x.flatten(), x.flatten()[:1]]),
        lambda x: torch.complex(x.float(), x.float()).conj(),
        lambda x: torch.zeros(x.shape, dtype=torch.float8_e5m2),
    ]
    make = makers[(embedding.numel() + a.numel()) % len(makers)]
    return {"retrieved_representation": make(h), "attention_weights": make(a)}
