# verdict: wrong_answer
# traps: l2_normalized_keys, weights_source_axis_last
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    if dtype in (torch.float16, torch.bfloat16):
        embedding = embedding.float()
        previous_outputs = previous_outputs.float()
        pseudo_query = pseudo_query.float()

    v = torch.stack([embedding] + list(previous_outputs), dim=2)  # b t s d
    norm = torch.sqrt(v.pow(2).sum(dim=-1, keepdim=True) + eps)  # <- mistake
    k = v / norm
    a = torch.softmax(k @ pseudo_query, dim=2)
    h = torch.einsum("bts,btsd->btd", a, v)
    return {
        "retrieved_representation": h.to(dtype),
        "attention_weights": a.to(dtype),  # <- mistake
    }
