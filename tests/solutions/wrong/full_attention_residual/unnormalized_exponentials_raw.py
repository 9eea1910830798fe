# verdict: wrong_answer
# traps: unnormalized_exponentials
"""exp of the logits as the weights: no shift, no division."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype, work = embedding.dtype, torch.promote_types(embedding.dtype, torch.float32)
    srcs = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(work)
    ks = srcs / (srcs.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    unnormalised = (ks @ pseudo_query.to(work)).exp()  # <- mistake
    mix = torch.einsum("sbt,sbtd->btd", unnormalised, srcs)
    return {"retrieved_representation": mix.to(dtype), "attention_weights": unnormalised.to(dtype)}
