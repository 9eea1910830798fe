# verdict: wrong_answer
# traps: embedding_added_to_layers, scaled_by_sqrt_width
"""embedding + outputs, 'a residual for each', and the usual temperature."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    states = torch.cat([embedding[None], embedding + previous_outputs])  # <- mistake
    rms = (states.pow(2).mean(-1) + eps).sqrt()
    temperature = embedding.shape[2] ** 0.5
    a = torch.softmax(states @ pseudo_query / (rms * temperature), 0)  # <- mistake
    return {"retrieved_representation": (states * a[..., None]).sum(0), "attention_weights": a}
