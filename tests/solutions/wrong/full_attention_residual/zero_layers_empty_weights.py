# verdict: wrong_answer
# traps: zero_layers
"""A special case for no layers that gives weights of shape (0, B, T)."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if previous_outputs.shape[0] == 0:
        nothing = embedding.new_zeros(0, *embedding.shape[:2])  # <- mistake
        return {"retrieved_representation": embedding, "attention_weights": nothing}

    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    w = torch.softmax(torch.einsum("sbtd,d->sbt", k, pseudo_query), dim=0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", w, v), "attention_weights": w}
