# verdict: accepted | wrong_answer | runtime_error
"""Right, but leaves gradients switched off: a grader that forms its loss afterwards in the same mode loses the graph."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    torch.set_grad_enabled(True)
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    h = torch.einsum("sbt,sbtd->btd", a, v)
    torch.set_grad_enabled(False)
    torch.autograd.set_detect_anomaly(True)
    return {"retrieved_representation": h, "attention_weights": a}
