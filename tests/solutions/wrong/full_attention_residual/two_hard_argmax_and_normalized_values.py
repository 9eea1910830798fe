# verdict: wrong_answer
# traps: hard_argmax, normalized_values
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Every token retrieves the one earlier state that matches best."""
    s = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    s = s / torch.sqrt(s.pow(2).mean(-1, keepdim=True) + eps)  # <- mistake
    logits = torch.einsum("sbtd,d->sbt", s, pseudo_query)
    best = logits.argmax(dim=0)  # <- mistake
    choice = F.one_hot(best, num_classes=s.shape[0]).permute(2, 0, 1).to(s.dtype)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", choice, s),
        "attention_weights": choice,
    }
