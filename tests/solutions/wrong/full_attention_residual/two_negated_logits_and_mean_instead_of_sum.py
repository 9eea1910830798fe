# verdict: wrong_answer
# traps: negated_logits, mean_instead_of_sum
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = torch.cat([embedding[None], previous_outputs])
    K = torch.nn.functional.rms_norm(V, V.shape[-1:], None, eps)
    # Gibbs weights exp(-E)
    logits = -torch.einsum("sbtd,d->sbt", K, pseudo_query)  # <- mistake
    alpha = (logits - logits.logsumexp(0)).exp()
    h = (alpha.unsqueeze(-1) * V).mean(0)  # <- mistake
    return {"retrieved_representation": h, "attention_weights": alpha}
