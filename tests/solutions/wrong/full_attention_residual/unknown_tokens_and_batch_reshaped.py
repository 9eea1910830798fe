# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    n_layers, batch, seq, width = previous_outputs.shape
    # time first, as the recurrent code has it
    e = embedding.transpose(0, 1).reshape(seq * batch, 1, width)
    f = previous_outputs.permute(2, 1, 0, 3).reshape(seq * batch, n_layers, width)
    v = torch.cat([e, f], dim=1)
    k = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    alpha = torch.softmax(k @ pseudo_query, dim=1)
    h = (alpha.unsqueeze(1) @ v).reshape(seq, batch, width).transpose(0, 1)
    weights = alpha.t().reshape(n_layers + 1, batch, seq)  # <- mistake
    return {"retrieved_representation": h, "attention_weights": weights}
