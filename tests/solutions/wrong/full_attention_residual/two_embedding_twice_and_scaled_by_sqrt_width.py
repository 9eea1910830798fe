# verdict: wrong_answer
# traps: embedding_twice, scaled_by_sqrt_width
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    num_layers = previous_outputs.size(0)
    d = embedding.size(-1)
    x = [embedding]
    for l in range(num_layers):
        if l == 0:
            x.append(embedding)  # <- mistake
        x.append(previous_outputs[l])
    x = torch.stack(x, dim=0)
    k = F.rms_norm(x, (d,), eps=eps)
    att = (k * pseudo_query).sum(-1)
    att = att / d**0.5  # <- mistake
    att = F.softmax(att, dim=0)
    y = (att.unsqueeze(-1) * x).sum(0)
    return {"retrieved_representation": y, "attention_weights": att}
