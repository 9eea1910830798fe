# verdict: wrong_answer
# traps: unnormalized_keys, normalized_query
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # Only the direction of the query should count.
    q = F.normalize(pseudo_query, dim=0)  # <- mistake
    sources = torch.cat([embedding[None], previous_outputs])
    logits = F.linear(sources, q[None, :]).squeeze(-1)  # <- mistake
    alpha = F.softmax(logits, dim=0)
    h = torch.linalg.vecdot(alpha.movedim(0, -1)[..., None, :], sources.permute(1, 2, 3, 0))
    return {"retrieved_representation": h, "attention_weights": alpha}
