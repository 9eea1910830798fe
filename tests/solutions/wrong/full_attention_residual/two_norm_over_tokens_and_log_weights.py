# verdict: wrong_answer
# traps: norm_over_tokens, log_weights
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    rms = (sources.pow(2).mean(dim=2, keepdim=True) + eps).sqrt()  # <- mistake
    keys = sources / rms
    logits = torch.einsum("sbtd,d->sbt", keys, pseudo_query)
    log_probs = F.log_softmax(logits, dim=0)
    retrieved = torch.einsum("sbt,sbtd->btd", log_probs.exp(), sources)
    return {
        "retrieved_representation": retrieved,
        "attention_weights": log_probs,  # <- mistake
    }
