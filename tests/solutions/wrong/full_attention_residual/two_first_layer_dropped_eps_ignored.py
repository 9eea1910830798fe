# verdict: wrong_answer
# traps: missing_first_layer, eps_ignored
"""Takes the first output for a copy of the embedding and drops it; its RMS has no eps."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat((embedding[None], previous_outputs[1:]))  # <- mistake
    k = v / torch.sqrt(torch.mean(v**2, -1, True))  # <- mistake
    alpha = torch.softmax(k @ pseudo_query, 0)
    return dict(retrieved_representation=torch.sum(alpha[..., None] * v, 0), attention_weights=alpha)
