# verdict: wrong_answer
# traps: running_sums
"""The embedding stands alone; the layers are summed up from the first to each."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    prefix = torch.cumsum(previous_outputs, dim=0)  # <- mistake
    V = torch.cat((embedding[None], prefix), 0)
    D = V.size(-1)
    # norm over the features, written with vector_norm: |v| / sqrt(D) is the RMS
    ms = torch.linalg.vector_norm(V, dim=-1) ** 2 / D
    logits = V.matmul(pseudo_query) / (ms + eps).sqrt()
    A = torch.exp(logits - torch.logsumexp(logits, dim=0, keepdim=True))
    return {"retrieved_representation": torch.einsum("sbtd,sbt->btd", V, A), "attention_weights": A}
