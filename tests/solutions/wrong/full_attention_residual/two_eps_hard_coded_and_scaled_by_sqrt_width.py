# verdict: wrong_answer
# traps: eps_hard_coded, scaled_by_sqrt_width
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    S = previous_outputs.shape[0] + 1
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).permute(1, 2, 0, 3)
    v = v.reshape(B * T, S, D)
    k = F.rms_norm(v, (D,))  # <- mistake
    q = pseudo_query.reshape(1, 1, D).expand(B * T, 1, D)

    def attend(values):
        return F.scaled_dot_product_attention(q, k, values)  # <- mistake

    out = attend(v)
    # reading the unit vectors gives the weights themselves
    one_hot = torch.eye(S, dtype=v.dtype, device=v.device).expand(B * T, S, S)
    weights = attend(one_hot)
    return {
        "retrieved_representation": out.reshape(B, T, D),
        "attention_weights": weights.reshape(B, T, S).permute(2, 0, 1),
    }
