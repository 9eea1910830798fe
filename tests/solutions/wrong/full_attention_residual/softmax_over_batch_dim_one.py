# verdict: wrong_answer
# traps: softmax_over_batch
"""dim=1, as for a (batch, classes) matrix of logits."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    srcs = torch.cat((embedding[None, ...], previous_outputs), dim=0)
    lg = F.rms_norm(srcs, [srcs.size(3)], eps=eps).matmul(pseudo_query)
    pr = F.softmax(lg, 1)  # <- mistake
    res = srcs.mul(pr.unsqueeze(3)).sum(0)
    return {"retrieved_representation": res, "attention_weights": pr}
