# verdict: wrong_answer
# traps: missing_first_layer
"""Takes row 0 of the layer outputs for the embedding, and replaces it instead of prepending."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    states = torch.cat([embedding.unsqueeze(0), previous_outputs[1:]])  # <- mistake
    inverse_rms = torch.rsqrt(states.square().mean(-1) + eps)
    logits = torch.einsum("sbtd,d,sbt->sbt", states, pseudo_query, inverse_rms)
    alpha = logits.softmax(0)
    return dict(
        retrieved_representation=torch.einsum("sbt,sbtd->btd", alpha, states),
        attention_weights=alpha,
    )
