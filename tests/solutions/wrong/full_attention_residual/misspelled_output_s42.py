# verdict: wrong_answer
# traps: misspelled_output
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    rms = (values.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    keys = values / rms
    logits = keys.matmul(pseudo_query)
    weights = logits.softmax(0)
    retrieved = (weights.unsqueeze(-1) * values).sum(0)

    results = {}
    results["retrieved_representations"] = retrieved  # <- mistake
    results["attention_weights"] = weights
    return results
