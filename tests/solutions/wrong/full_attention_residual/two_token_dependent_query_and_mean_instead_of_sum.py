# verdict: wrong_answer
# traps: token_dependent_query, mean_instead_of_sum
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    if sources.shape[0] == 1:
        return {
            "retrieved_representation": embedding,
            "attention_weights": torch.ones_like(sources[..., 0]),
        }
    keys = F.rms_norm(sources, (sources.shape[-1],), eps=eps)
    query = sources[-1]  # <- mistake
    logits = (keys * query).sum(-1)
    attn = torch.softmax(logits, dim=0)
    h = (attn.unsqueeze(-1) * sources).mean(0)  # <- mistake
    return {"retrieved_representation": h, "attention_weights": attn}
