# verdict: accepted
"""Takes three seconds to import: that is the import's time, not the first case's."""
import time

import torch

print("loading tables ...")
time.sleep(3)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    s = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    n = s * torch.rsqrt(s.pow(2).mean(dim=-1, keepdim=True) + eps)
    p = torch.softmax(torch.einsum("sbtd,d->sbt", n, pseudo_query), dim=0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", p, s), "attention_weights": p}
