# verdict: wrong_answer
# traps: running_sums
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    out_dtype = embedding.dtype
    if torch.finfo(out_dtype).bits < 32:
        embedding, previous_outputs, pseudo_query = (
            x.to(torch.float32) for x in (embedding, previous_outputs, pseudo_query)
        )

    # what the stream looks like after each layer
    layers = previous_outputs.cumsum(dim=0)  # <- mistake

    # the embedding and the layers are scored apart, then joined
    d = embedding.shape[-1:]
    score_e = F.rms_norm(embedding, d, eps=eps).matmul(pseudo_query).unsqueeze(0)
    score_f = F.rms_norm(layers, d, eps=eps).matmul(pseudo_query)
    weights = F.softmax(torch.cat((score_e, score_f)), dim=0)

    mixed = weights[0, ..., None] * embedding + (weights[1:, ..., None] * layers).sum(dim=0)
    return {
        "retrieved_representation": mixed.to(out_dtype),
        "attention_weights": weights.to(out_dtype),
    }
