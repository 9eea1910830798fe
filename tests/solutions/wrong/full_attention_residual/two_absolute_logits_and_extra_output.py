# verdict: wrong_answer
# traps: absolute_logits, extra_output
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = sources / (sources.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt()
    # how strong is the alignment with the query?
    logits = torch.abs(torch.matmul(keys, pseudo_query))  # <- mistake
    weights = torch.softmax(logits, dim=0)
    out = (weights.unsqueeze(dim=-1) * sources).sum(dim=0)
    return {
        "retrieved_representation": out,
        "attention_weights": weights,
        "logits": logits,  # <- mistake
    }
