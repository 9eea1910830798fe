# verdict: wrong_answer
# traps: l2_normalized_keys
import torch


def _norm(x, axis=-1, eps=1e-6):
    power = torch.sum(x * x, dim=axis, keepdim=True)  # <- mistake
    return x / torch.sqrt(power + eps)


def _score(keys, query, axis=-1):
    shape = [1] * keys.ndim
    shape[axis] = -1
    return torch.sum(keys * query.reshape(shape), dim=axis)


def _softmax(x, axis=0):
    shifted = torch.exp(x - torch.amax(x, dim=axis, keepdim=True))
    return shifted / torch.sum(shifted, dim=axis, keepdim=True)


def _mix(weights, values, axis=0, feature_axis=-1):
    return torch.sum(weights.unsqueeze(feature_axis) * values, dim=axis)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    values = torch.cat((embedding[None], previous_outputs), dim=0).to(wide)
    keys = _norm(values, axis=-1, eps=eps)
    weights = _softmax(_score(keys, pseudo_query.to(wide), axis=-1), axis=0)
    mixed = _mix(weights, values)
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
