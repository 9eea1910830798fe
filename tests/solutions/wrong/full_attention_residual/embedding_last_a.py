# verdict: wrong_answer
# traps: embedding_last
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = torch.cat([previous_outputs, embedding[None]], dim=0)  # <- mistake
    X = V.double()
    inv = torch.rsqrt(torch.einsum("sbtd,sbtd->sbt", X, X) / X.shape[-1] + eps)
    logits = torch.einsum("sbtd,d,sbt->sbt", X, pseudo_query.double(), inv)
    A = torch.softmax(logits, 0)
    H = torch.einsum("sbt,sbtd->btd", A, X)
    return {"retrieved_representation": H.to(V.dtype), "attention_weights": A.to(V.dtype)}
