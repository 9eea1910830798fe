# verdict: wrong_answer
# traps: reversed_layers
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape

    # collect sources, embedding is v_0, then walk back through the network
    vs = [embedding]
    for i in range(L - 1, -1, -1):  # <- mistake
        vs.append(previous_outputs[i])
    V = torch.stack(vs)

    K = F.rms_norm(V, (D,), eps=eps)
    logits = (K * pseudo_query).sum(dim=-1)
    alpha = F.softmax(logits, dim=0)
    h = (alpha[..., None] * V).sum(dim=0)
    return {"retrieved_representation": h, "attention_weights": alpha}
