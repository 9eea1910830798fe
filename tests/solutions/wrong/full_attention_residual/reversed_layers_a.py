# verdict: wrong_answer
# traps: reversed_layers
import torch


def rms(x, eps):
    return (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    kind = torch.promote_types(embedding.dtype, torch.float)
    e, fs, w = (t.to(kind) for t in (embedding, previous_outputs, pseudo_query))
    # newest first, the way a stack is read
    vs = torch.stack([e, *fs.flip(0)])  # <- mistake
    alphas = ((vs / rms(vs, eps)) @ w).softmax(0)
    return dict(
        retrieved_representation=alphas.unsqueeze(-1).mul(vs).sum(0).to(embedding.dtype),
        attention_weights=alphas.to(embedding.dtype),
    )
