# verdict: wrong_answer
# traps: misaligned_weights, needs_contiguous_input
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    layers, batch, seq, width = previous_outputs.shape
    n = batch * seq
    e = embedding.view(1, n, width)  # <- mistake
    f = previous_outputs.view(layers, n, width)

    keys = torch.cat([f, e])
    keys = keys / torch.sqrt((keys * keys).mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys.matmul(pseudo_query), dim=0)

    values = torch.cat([e, f])  # <- mistake
    h = (weights.unsqueeze(-1) * values).sum(0)
    return {
        "retrieved_representation": h.view(batch, seq, width),
        "attention_weights": weights.view(layers + 1, batch, seq),
    }
