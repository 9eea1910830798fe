# verdict: wrong_answer
# traps: missing_first_layer, normalized_output
import torch


def _rms_normalise(x, eps, axis=-1):
    return x / torch.sqrt(torch.mean(x**2, dim=axis, keepdim=True) + eps)


def _gather(embedding, previous_outputs):
    stack = [embedding]
    for idx in range(1, previous_outputs.size(0)):  # <- mistake
        stack.append(previous_outputs[idx])
    return torch.stack(stack, dim=-2)  # (B, T, S, D)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = _gather(embedding, previous_outputs)
    logits = torch.einsum("btsd,d->bts", _rms_normalise(v, eps), pseudo_query)
    a = torch.softmax(logits, dim=-1)
    h = torch.einsum("bts,btsd->btd", a, v)
    return {
        "retrieved_representation": _rms_normalise(h, eps),  # <- mistake
        "attention_weights": a.movedim(-1, 0),
    }
