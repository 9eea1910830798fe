# verdict: wrong_answer
# traps: double_softmax
"""One call too many in a chain: the probabilities pass a second softmax."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.stack([embedding, *previous_outputs], dim=0)
    p = F.rms_norm(x, (x.size(-1),), eps=eps).matmul(pseudo_query).softmax(0).softmax(0)  # <- mistake
    return dict(retrieved_representation=x.mul(p.unsqueeze(-1)).sum(0), attention_weights=p)
