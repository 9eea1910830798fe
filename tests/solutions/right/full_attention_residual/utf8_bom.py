# verdict: accepted
"""Starts with a UTF-8 byte order mark, as Notepad writes it."""
import torch


def normiert(x, eps):
    # größer als null durch eps
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    quellen = torch.cat([embedding[None, :, :, :], previous_outputs])
    gewichte = torch.softmax(torch.matmul(normiert(quellen, eps), pseudo_query), dim=0)
    ergebnis = torch.einsum("sbt,sbtd->btd", gewichte, quellen)
    return {"retrieved_representation": ergebnis, "attention_weights": gewichte}
