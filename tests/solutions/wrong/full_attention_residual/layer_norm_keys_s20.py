# verdict: wrong_answer
# traps: layer_norm_keys
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    d_model = embedding.size(-1)
    hidden = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = F.layer_norm(hidden, (d_model,), eps=eps)  # <- mistake
    q = pseudo_query.unsqueeze(-1)
    att = torch.matmul(k, q).squeeze(-1)
    att = F.softmax(att, dim=0)
    y = (att.unsqueeze(-1) * hidden).sum(dim=0)
    return {"retrieved_representation": y, "attention_weights": att}
