# verdict: wrong_answer
# traps: eps_ignored, weights_source_axis_last
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h_all = torch.stack([embedding, *previous_outputs], dim=2)  # batch, time, depth, features
    scale = h_all.pow(2).mean(-1, keepdim=True).rsqrt()  # <- mistake
    logits = torch.einsum("btsd,d->bts", h_all * scale, pseudo_query)
    attn = logits.softmax(-1)
    return {
        "retrieved_representation": torch.einsum("bts,btsd->btd", attn, h_all),
        "attention_weights": attn,  # <- mistake
    }
