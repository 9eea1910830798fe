# verdict: wrong_answer
# traps: embedding_added
"""The accumulator of the weighted sum starts with the embedding instead of with zeros."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def logit(source):
        return torch.einsum("btd,d->bt", source / (source.pow(2).mean(-1, True) + eps).sqrt(), pseudo_query)

    sources = [embedding] + [previous_outputs[i] for i in range(previous_outputs.size(0))]
    weights = torch.stack([logit(s) for s in sources], dim=0).softmax(dim=0)
    retrieved = embedding.clone()  # <- mistake
    for i, source in enumerate(sources):
        retrieved += weights[i].unsqueeze(-1) * source
    return {"retrieved_representation": retrieved, "attention_weights": weights}
