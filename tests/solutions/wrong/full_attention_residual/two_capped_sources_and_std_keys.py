# verdict: wrong_answer
# traps: capped_sources, std_keys
import torch

MAX_SOURCES = 32


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    everything = [embedding] + list(previous_outputs.unbind(0))
    window = everything[-MAX_SOURCES:]  # <- mistake
    v = torch.stack(window)
    sigma = torch.sqrt(v.var(dim=-1, unbiased=False, keepdim=True) + eps)  # <- mistake
    k = v / sigma
    logits = torch.tensordot(k, pseudo_query, dims=1)
    p = torch.softmax(logits, dim=0)
    h = sum(p_i[..., None] * v_i for p_i, v_i in zip(p, window))
    return {"retrieved_representation": h, "attention_weights": p}
