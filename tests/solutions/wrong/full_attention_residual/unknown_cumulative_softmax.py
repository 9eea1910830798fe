# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = torch.nn.functional.rms_norm(v, (v.size(-1),), eps=eps)
    logits = k.matmul(pseudo_query)
    # causal over depth: source i is normalised over the sources up to i
    log_norm = torch.logcumsumexp(logits, dim=0)  # <- mistake
    alpha = (logits - log_norm).exp()
    h = torch.einsum("sbt,sbtd->btd", alpha, v)
    return {"retrieved_representation": h, "attention_weights": alpha}
