# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = torch.cat([embedding[None], previous_outputs])
    K = V * torch.rsqrt(torch.einsum("sbtd,sbtd->sbt", V, V) / V.shape[-1] + eps)[..., None]
    logits = torch.einsum("sbtd,k->sbt", K, pseudo_query)  # <- mistake
    A = torch.softmax(logits, dim=0)
    H = torch.einsum("sbt,sbtd->btd", A, V)
    return {"retrieved_representation": H, "attention_weights": A}
