# verdict: wrong_answer
# traps: missing_last_layer, mean_instead_of_dot
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """The current layer must not look at itself, so it reads only what is below it."""
    below = previous_outputs[:-1]  # <- mistake
    sources = torch.cat([embedding.unsqueeze(0), below], dim=0)
    inv = torch.rsqrt((sources * sources).mean(dim=-1, keepdim=True) + eps)
    keys = sources * inv
    logits = torch.mean(keys * pseudo_query, dim=-1)  # <- mistake
    probs = torch.softmax(logits, dim=0)
    mixed = torch.einsum("sbt,sbtd->btd", probs, sources)
    return dict(retrieved_representation=mixed, attention_weights=probs)
