# verdict: wrong_answer
# traps: nondeterministic
import torch
import torch.nn.functional as F


def scaled_attention(q, k, v, scale, dropout_p=0.0):
    """Plain attention over axis -2; returns the context and the probabilities."""
    probs = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) * scale, dim=-1)
    probs = F.dropout(probs, p=dropout_p)
    return torch.matmul(probs, v), probs


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    work = torch.promote_types(embedding.dtype, torch.float32)
    v = torch.cat([embedding.unsqueeze(-2), previous_outputs.movedim(0, -2)], dim=-2).to(work)
    k = F.rms_norm(v, (v.size(-1),), eps=eps)
    q = pseudo_query.to(work).reshape(1, 1, 1, -1)
    context, probs = scaled_attention(q, k, v, scale=1.0, dropout_p=0.1)  # <- mistake
    return {
        "retrieved_representation": context[..., 0, :].to(embedding.dtype),
        "attention_weights": probs[..., 0, :].movedim(-1, 0).to(embedding.dtype),
    }
