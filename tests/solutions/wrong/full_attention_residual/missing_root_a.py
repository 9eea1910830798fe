# verdict: wrong_answer
# traps: missing_root
import torch


class _Accumulator:
    """Keeps the pieces of one read; a new one is made for every call."""

    def __init__(self, query, eps):
        self.query = query
        self.eps = eps
        self.values = []
        self.logits = []

    def push(self, value):
        denominator = value.pow(2).mean(-1, keepdim=True) + self.eps  # <- mistake
        self.values.append(value)
        self.logits.append(((value / denominator) * self.query).sum(-1))
        return self

    def finish(self):
        alpha = torch.log_softmax(torch.stack(self.logits), dim=0).exp()
        mixed = torch.einsum("nij,nijk->ijk", alpha, torch.stack(self.values))
        return mixed, alpha


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    target = embedding.dtype
    calc = torch.float64 if target is torch.float64 else torch.float32
    acc = _Accumulator(pseudo_query.to(calc), eps)
    acc.push(embedding.to(calc))
    for layer_index in range(previous_outputs.shape[0]):
        acc.push(previous_outputs[layer_index].to(calc))
    mixed, alpha = acc.finish()
    return {"retrieved_representation": mixed.to(target), "attention_weights": alpha.to(target)}
