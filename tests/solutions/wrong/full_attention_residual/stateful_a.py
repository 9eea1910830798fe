# verdict: runtime_error
# traps: stateful
import torch


def gather(embedding, previous_outputs, bank=[]):  # <- mistake
    bank.append(embedding)
    for output in previous_outputs:
        bank.append(output)
    return torch.stack(bank)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = gather(embedding, previous_outputs)
    work = sources.to(torch.promote_types(sources.dtype, torch.float32))
    ms = (work**2).mean(-1)
    logits = torch.matmul(work, pseudo_query.to(work.dtype)) / torch.sqrt(ms + eps)
    e = torch.exp(logits - torch.amax(logits, 0))
    weights = e / torch.sum(e, 0)
    retrieved = torch.sum(weights[..., None] * work, 0)
    return {
        "retrieved_representation": retrieved.to(sources.dtype),
        "attention_weights": weights.to(sources.dtype),
    }
