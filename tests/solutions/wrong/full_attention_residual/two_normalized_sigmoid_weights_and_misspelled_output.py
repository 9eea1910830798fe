# verdict: wrong_answer
# traps: normalized_sigmoid_weights, misspelled_output
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    inv_rms = (x.pow(2).mean(-1) + eps).rsqrt()
    gates = torch.sigmoid((x @ pseudo_query) * inv_rms)  # <- mistake
    weights = gates / gates.sum(0, keepdim=True)
    h = (x * weights.unsqueeze(-1)).sum(0)
    return {
        "retrieved_representation": h,
        "attention_weight": weights,  # <- mistake
    }
