# verdict: wrong_answer
# traps: wrong_dtype
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    input_dtype = embedding.dtype
    if input_dtype in (torch.float16, torch.bfloat16):
        embedding = embedding.float()
        previous_outputs = previous_outputs.float()
        pseudo_query = pseudo_query.float()

    V = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    K = F.rms_norm(V, V.shape[-1:], eps=eps)
    scores = torch.einsum("d, n b t d -> n b t", pseudo_query, K)
    attn = scores.softmax(0)
    h = torch.einsum("n b t, n b t d -> b t d", attn, V)
    h = h.to(input_dtype)
    return {
        "retrieved_representation": h,
        "attention_weights": attn,  # <- mistake
    }
