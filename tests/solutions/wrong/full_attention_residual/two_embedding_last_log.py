# verdict: wrong_answer
# traps: embedding_last, log_weights
"""Embedding behind, and log_softmax returned."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.vstack((previous_outputs, embedding.unsqueeze(0)))  # <- mistake
    k = v.div(torch.sqrt(v.square().mean(-1, keepdim=True).add(eps)))
    log_p = torch.log_softmax(k.matmul(pseudo_query), dim=0)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", log_p.exp(), v),
        "attention_weights": log_p,  # <- mistake
    }
