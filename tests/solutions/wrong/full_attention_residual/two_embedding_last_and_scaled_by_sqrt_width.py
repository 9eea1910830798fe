# verdict: wrong_answer
# traps: embedding_last, scaled_by_sqrt_width
from math import sqrt

import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    num_layers, b, t, d = previous_outputs.shape
    kv = torch.cat((previous_outputs, embedding.reshape(1, b, t, d)))  # <- mistake
    kv = kv.permute(1, 2, 0, 3).reshape(b * t, num_layers + 1, d)
    k = F.rms_norm(kv, (d,), eps=eps)
    q = pseudo_query.expand(b * t, 1, d)
    att = torch.bmm(q, k.transpose(1, 2))
    att = att / sqrt(d)  # <- mistake
    att = F.softmax(att, dim=-1)
    y = torch.bmm(att, kv).reshape(b, t, d)
    return {
        "retrieved_representation": y,
        "attention_weights": att.reshape(b, t, num_layers + 1).permute(2, 0, 1),
    }
