# verdict: wrong_answer | runtime_error
"""Keys that no text format takes: lone surrogates, numbers, NaN, None, bytes, tensors, a megabyte of letters."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    zero = torch.zeros_like(embedding)
    return {
        "retrieved_representation": zero,
        "attention_weights": zero,
        "\ud800": zero,
        "\x00\x1b[31m": zero,
        "__metadata__": zero,
        "../../etc/passwd": zero,
        "k" * 1_000_000: zero,
        0: zero,
        1.5: zero,
        float("nan"): zero,
        None: zero,
        b"retrieved_representation": zero,
        ("attention_weights",): zero,
        embedding: zero,
        torch.Tensor: zero,
    }
