# verdict: wrong_answer
# traps: mutated_inputs
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    width = embedding.shape[-1]

    # logits of the embedding and of the layers
    k0 = F.rms_norm(embedding, (width,), eps=eps)
    ks = F.rms_norm(previous_outputs, (width,), eps=eps)
    logits = torch.cat([(k0 @ pseudo_query).unsqueeze(0), ks @ pseudo_query], dim=0)

    weights = F.softmax(logits, dim=0)

    # weigh the layers without another big buffer
    weighted = previous_outputs.mul_(weights[1:].unsqueeze(-1))  # <- mistake
    h = weights[0].unsqueeze(-1) * embedding + weighted.sum(dim=0)
    return {"retrieved_representation": h, "attention_weights": weights}
