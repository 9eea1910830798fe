# verdict: wrong_answer
# traps: norm_over_sources, negated_logits
import torch


def rms(x, dim):
    return x.pow(2).mean(dim=dim, keepdim=True)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = sources / torch.sqrt(rms(sources, dim=0) + eps)  # <- mistake
    # energies: the lower, the better the match
    energy = torch.tensordot(keys, pseudo_query, dims=([3], [0]))
    weights = torch.softmax(-energy, dim=0)  # <- mistake
    h = torch.zeros_like(embedding)
    for i in range(sources.shape[0]):
        h = torch.addcmul(h, weights[i].unsqueeze(-1), sources[i])
    return {"retrieved_representation": h, "attention_weights": weights}
