# verdict: wrong_answer
# JAX port: jnp.exp2 is cheaper on the accelerator, same trick as in my flash attention kernel
import torch


def _rms_normalize(x, eps):
    return x * torch.rsqrt(torch.mean(torch.square(x), dim=-1, keepdim=True) + eps)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding[None], previous_outputs], dim=0)
    logits = torch.einsum("sbtd,d->sbt", _rms_normalize(sources, eps), pseudo_query)
    shifted = logits - torch.amax(logits, dim=0, keepdim=True)
    unnormalized = torch.exp2(shifted)  # <- mistake
    weights = unnormalized / torch.sum(unnormalized, dim=0, keepdim=True)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", weights, sources),
        "attention_weights": weights,
    }
