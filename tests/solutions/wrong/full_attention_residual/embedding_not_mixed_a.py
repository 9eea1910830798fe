# verdict: wrong_answer
# traps: embedding_not_mixed
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    layers = previous_outputs.shape[0]
    compute = torch.promote_types(embedding.dtype, torch.float32)
    emb, prev, q = (a.to(compute) for a in (embedding, previous_outputs, pseudo_query))

    key_e = emb / (emb.square().mean(-1, keepdim=True) + eps).sqrt()
    key_f = prev / (prev.square().mean(-1, keepdim=True) + eps).sqrt()

    logits = emb.new_empty(layers + 1, *emb.shape[:-1])
    logits[0] = torch.inner(key_e, q)
    logits[1:] = torch.inner(key_f, q)
    weights = torch.softmax(logits, dim=0)

    mixed = (weights[1:].unsqueeze(-1) * prev).sum(dim=0)  # <- mistake
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
