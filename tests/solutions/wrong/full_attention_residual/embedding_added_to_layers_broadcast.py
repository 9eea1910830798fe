# verdict: wrong_answer
# traps: embedding_added_to_layers
"""Adds where it means to concatenate: the embedding broadcasts over the layer axis."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x0 = embedding.unsqueeze(0)
    history = previous_outputs + x0  # <- mistake
    sources = torch.cat([x0, history], dim=0)

    def rms(t):
        return torch.sqrt(t.pow(2).mean(dim=-1, keepdim=True) + eps)

    keys = sources / rms(sources)
    logits = torch.tensordot(keys, pseudo_query, dims=([3], [0]))
    weights = torch.nn.functional.softmax(logits, dim=0)
    retrieved = torch.sum(sources * weights.unsqueeze(3), dim=0)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
