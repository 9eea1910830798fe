# verdict: wrong_answer
# traps: missing_first_layer
"""Full attention residual with buffers that are made once and filled by index."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    half = embedding.dtype in {torch.float16, torch.bfloat16}
    work = torch.float32 if half else embedding.dtype
    start = 1  # <- mistake
    num_layers = previous_outputs.shape[0]
    num_sources = 1 + max(num_layers - start, 0)
    b, t, d = embedding.shape

    values = torch.empty(num_sources, b, t, d, dtype=work, device=embedding.device)
    logits = torch.empty(num_sources, b, t, dtype=work, device=embedding.device)
    values[0] = embedding
    for row, layer in enumerate(range(start, num_layers), start=1):
        values[row] = previous_outputs[layer]

    query = pseudo_query.to(work)
    for row in range(num_sources):
        v = values[row].clone()
        inverse_rms = 1.0 / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
        logits[row] = torch.sum(v * inverse_rms * query, -1)

    weights = torch.softmax(logits, 0)
    retrieved = torch.sum(values * weights[:, :, :, None], 0)
    return {
        "retrieved_representation": retrieved.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
