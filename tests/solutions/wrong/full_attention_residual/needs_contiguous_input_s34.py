# verdict: runtime_error
# traps: needs_contiguous_input
import torch
import torch.nn.functional as F


class AttentionOverDepth(torch.nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def flatten(self, x):
        return x.view(-1, x.size(-1))  # <- mistake

    def logits(self, x, w):
        flat = self.flatten(x)
        key = F.rms_norm(flat, (flat.size(-1),), eps=self.eps)
        return (key @ w).reshape(x.shape[:-1])

    def forward(self, e, outs, w):
        scores = [self.logits(e, w)]
        for o in outs:
            scores.append(self.logits(o, w))
        attn = F.softmax(torch.stack(scores, dim=0), dim=0)
        mixed = attn[0].unsqueeze(-1) * e
        for i, o in enumerate(outs):
            mixed = mixed + attn[i + 1].unsqueeze(-1) * o
        return mixed, attn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    mixed, attn = AttentionOverDepth(eps)(embedding, previous_outputs, pseudo_query)
    return {"retrieved_representation": mixed, "attention_weights": attn}
