# verdict: wrong_answer
# traps: sigmoid_weights, last_output_added
"""The newest output plus gated older ones: sigmoid gates and a skip connection."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = F.rms_norm(sources, sources.shape[-1:], eps=eps)
    gates = (keys @ pseudo_query).sigmoid()  # <- mistake
    skip = previous_outputs[-1] if len(previous_outputs) else torch.zeros_like(embedding)
    h = skip + torch.einsum("sbt,sbtd->btd", gates, sources)  # <- mistake
    return {"retrieved_representation": h, "attention_weights": gates}
