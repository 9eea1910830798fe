# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    batch, seq, width = embedding.shape
    n = batch * seq
    rows = torch.cat(
        [embedding.reshape(n, 1, width), previous_outputs.flatten(1, 2).transpose(0, 1)], dim=1
    )
    keys = rows * rows.square().mean(2, keepdim=True).add(eps).rsqrt()
    logits = torch.bmm(keys, pseudo_query.reshape(1, width, 1).expand(n, width, 1))
    weights = torch.softmax(logits, 1)
    h = torch.bmm(weights.transpose(1, 2), rows)
    return {
        "retrieved_representation": h.reshape(batch, seq, width),
        "attention_weights": weights.squeeze(2).T.reshape(-1, batch, seq),
    }
