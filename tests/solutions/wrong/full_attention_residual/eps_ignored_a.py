# verdict: wrong_answer
# traps: eps_ignored
# numpy habits: axis=, keepdims=, newaxis
import torch as np


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    wide = np.promote_types(dtype, np.float32)
    v = np.concatenate((embedding[None, ...], previous_outputs), axis=0).to(wide)
    rms = np.sqrt(np.mean(v**2, axis=-1, keepdims=True))  # <- mistake
    logit = np.matmul(v / rms, pseudo_query.to(wide)[:, None])  # (S, B, T, 1)
    top = np.amax(logit, axis=0, keepdims=True)
    num = np.exp(logit - top)
    alpha = num / np.sum(num, axis=0, keepdims=True)
    return {
        "retrieved_representation": np.sum(alpha * v, axis=0).to(dtype),
        "attention_weights": alpha[..., 0].to(dtype),
    }
