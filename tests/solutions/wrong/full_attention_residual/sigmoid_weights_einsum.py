# verdict: wrong_answer
# traps: sigmoid_weights
"""A sigmoid where the softmax should be, written as 1 / (1 + exp(-l))."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = torch.cat((embedding.unsqueeze(0), previous_outputs), dim=0)
    r = torch.rsqrt(torch.einsum("sbtd,sbtd->sbt", V, V) / V.shape[-1] + eps)
    l = torch.einsum("sbtd,d,sbt->sbt", V, pseudo_query, r)
    A = 1 / (1 + torch.exp(-l))  # <- mistake
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", A, V), "attention_weights": A}
