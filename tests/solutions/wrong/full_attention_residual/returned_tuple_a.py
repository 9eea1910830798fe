# verdict: wrong_answer
# traps: returned_tuple
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if previous_outputs.shape[0] == 0:
        only = torch.ones((1,) + embedding.shape[:2], dtype=embedding.dtype, device=embedding.device)
        h, a = embedding, only
    else:
        work = torch.promote_types(embedding.dtype, torch.float32)
        V = torch.cat([embedding.unsqueeze(0), previous_outputs], 0).to(work)
        K = V / torch.sqrt(V.square().mean(-1, keepdim=True) + eps)
        a = torch.softmax(torch.einsum("lbtd,d->lbt", K, pseudo_query.to(work)), 0)
        h = torch.einsum("lbt,lbtd->btd", a, V).to(embedding.dtype)
        a = a.to(embedding.dtype)
    return h, a  # <- mistake
