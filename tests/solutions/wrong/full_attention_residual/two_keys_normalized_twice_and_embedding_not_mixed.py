# verdict: wrong_answer
# traps: keys_normalized_twice, embedding_not_mixed
import torch
import torch.nn.functional as F


class DepthAttention(torch.nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.width = width
        self.eps = eps

    def norm(self, x):
        return F.rms_norm(x, (self.width,), eps=self.eps)

    def score(self, x, q):
        return F.linear(self.norm(x), q.unsqueeze(0)).squeeze(-1)

    def forward(self, e, layers, q):
        x = self.norm(torch.cat([e.unsqueeze(0), layers]))
        weights = F.softmax(self.score(x, q), dim=0)  # <- mistake
        mixed = (weights[1:].unsqueeze(-1) * layers).sum(0)  # <- mistake
        return mixed, weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    module = DepthAttention(embedding.shape[-1], eps)
    mixed, weights = module(embedding, previous_outputs, pseudo_query)
    return {"retrieved_representation": mixed, "attention_weights": weights}
