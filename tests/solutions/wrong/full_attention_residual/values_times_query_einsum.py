# verdict: wrong_answer
# traps: values_times_query
"""A letter too many in the last einsum: the query takes part in the mix."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    w = pseudo_query
    V = torch.stack([embedding, *previous_outputs])
    K = torch.einsum("sbtd,sbt->sbtd", V, (V.square().mean(-1) + eps).rsqrt())
    A = torch.einsum("sbtd,d->sbt", K, w).softmax(0)
    H = torch.einsum("sbt,sbtd,d->btd", A, V, w)  # <- mistake
    return {"retrieved_representation": H, "attention_weights": A}
