# verdict: wrong_answer
# traps: phantom_zero_source
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    layers, batch, sequence, width = previous_outputs.shape
    up = torch.promote_types(embedding.dtype, torch.float32)

    # one slot for the embedding, one for each layer
    slots = layers + 2  # <- mistake
    bank = torch.zeros((slots, batch, sequence, width), dtype=up, device=embedding.device)
    bank[0].copy_(embedding)
    for index in range(layers):
        bank[index + 1].copy_(previous_outputs[index])

    normed = F.rms_norm(bank, [width], eps=eps)
    logits = normed.reshape(-1, width).mv(pseudo_query.to(up)).reshape(slots, batch, sequence)
    weights = F.softmax(logits, dim=0)
    retrieved = (weights[..., None] * bank).sum(dim=0)

    return {
        "retrieved_representation": retrieved.to(embedding.dtype),
        "attention_weights": weights[: layers + 1].to(embedding.dtype),
    }
