# verdict: wrong_answer
# traps: overflowing_softmax
import torch


def softmax(x, axis=0):
    e = torch.exp(x)  # <- mistake
    return e / e.sum(axis, keepdim=True)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    work = torch.promote_types(embedding.dtype, torch.float32)
    source_list = [embedding.to(work)]
    source_list.extend(previous_outputs.to(work))
    score_list = []
    for src in source_list:
        ms = torch.mean(src**2, dim=-1)
        dot = torch.sum(src * pseudo_query.to(work), dim=-1)
        score_list.append(dot / torch.sqrt(ms + eps))
    w = softmax(torch.stack(score_list, dim=0), axis=0)
    h = torch.zeros_like(source_list[0])
    for k, src in enumerate(source_list):
        h = h + w[k][:, :, None] * src
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": w.to(embedding.dtype),
    }
