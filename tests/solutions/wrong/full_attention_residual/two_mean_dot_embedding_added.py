# verdict: wrong_answer
# traps: mean_instead_of_dot, embedding_added
"""mean(-1) for the score, and the mix is accumulated upon the embedding."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding] + list(previous_outputs)
    scores = []
    for s in sources:
        k = s / (s.square().mean(-1, keepdim=True) + eps).sqrt()
        scores.append((k * pseudo_query).mean(-1))  # <- mistake
    alpha = torch.softmax(torch.stack(scores), dim=0)
    hidden = embedding  # <- mistake
    for a, s in zip(alpha, sources):
        hidden = hidden + a.unsqueeze(-1) * s
    return {"retrieved_representation": hidden, "attention_weights": alpha}
