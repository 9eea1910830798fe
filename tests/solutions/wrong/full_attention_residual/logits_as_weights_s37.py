# verdict: wrong_answer
# traps: logits_as_weights
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = F.rms_norm(sources, [sources.size(-1)], None, eps)
    attn = torch.matmul(keys, pseudo_query)
    probs = F.softmax(attn, dim=0)
    h = torch.einsum("lbt,lbtd->btd", probs, sources)
    return {
        "retrieved_representation": h,
        "attention_weights": attn,  # <- mistake
    }
