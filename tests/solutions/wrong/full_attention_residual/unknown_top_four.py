# verdict: wrong_answer
import torch


class TopKDepthRouter(torch.nn.Module):
    def __init__(self, k: int = 4, eps: float = 1e-6):
        super().__init__()
        self.k = k
        self.eps = eps

    def forward(self, sources: torch.Tensor, query: torch.Tensor):
        inv_rms = torch.rsqrt(sources.pow(2).mean(dim=-1) + self.eps)
        logits = torch.matmul(sources, query) * inv_rms
        k = min(self.k, logits.shape[0])
        best = logits.topk(k, dim=0)
        masked = torch.full_like(logits, float("-inf"))
        masked = masked.scatter(0, best.indices, best.values)  # <- mistake
        weights = masked.softmax(dim=0)
        return (weights.unsqueeze(-1) * sources).sum(dim=0), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    mixed, weights = TopKDepthRouter(eps=eps)(sources, pseudo_query)
    return {"retrieved_representation": mixed, "attention_weights": weights}
