# verdict: wrong_answer
# traps: reversed_layers, eps_ignored
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # newest layer right after the embedding
    newest_first = torch.flip(previous_outputs, dims=(0,))  # <- mistake
    v = torch.concatenate([embedding[None], newest_first], dim=0)
    rms = v.square().mean(axis=-1, keepdims=True).sqrt()  # <- mistake
    logits = (v / rms) @ pseudo_query
    logits = logits - logits.amax(axis=0, keepdims=True)
    expd = logits.exp()
    alpha = expd / expd.sum(axis=0, keepdims=True)
    return {
        "retrieved_representation": (alpha[..., None] * v).sum(axis=0),
        "attention_weights": alpha,
    }
