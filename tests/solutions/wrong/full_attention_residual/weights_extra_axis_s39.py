# verdict: wrong_answer
# traps: weights_extra_axis
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat((embedding.unsqueeze(0), previous_outputs), dim=0)
    rms = torch.sqrt(torch.mean(x**2, dim=-1, keepdim=True) + eps)
    logits = torch.sum(x / rms * pseudo_query, dim=-1, keepdim=True)
    alpha = torch.softmax(logits, dim=0)
    h = torch.sum(alpha * x, dim=0)
    return {"retrieved_representation": h, "attention_weights": alpha}  # <- mistake
