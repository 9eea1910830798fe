# verdict: wrong_answer
# traps: unnormalized_keys, scaled_by_sqrt_width
import torch


def scaled_dot_product(q, k, v):
    d = q.size(-1)
    scores = torch.einsum("d,sbtd->sbt", q, k) * d**-0.5  # <- mistake
    attn = torch.softmax(scores, dim=0)
    return torch.einsum("sbt,sbtd->btd", attn, v), attn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    memory = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    out, attn = scaled_dot_product(pseudo_query, memory, memory)  # <- mistake
    return {"retrieved_representation": out, "attention_weights": attn}
