# verdict: wrong_answer
# traps: phantom_zero_source, eps_as_floor


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    n = previous_outputs.shape[0]
    # one slot for the embedding, n for the layers, one for the layer that is running now
    bank = embedding.new_zeros((n + 2,) + tuple(embedding.shape))  # <- mistake
    bank[0] = embedding
    bank[1 : n + 1] = previous_outputs

    mean_square = bank.square().mean(-1, keepdim=True)
    keys = bank / mean_square.clamp(min=eps).sqrt()  # <- mistake

    scores = (keys * pseudo_query).sum(-1)
    weights = scores.softmax(0)
    h = (weights.unsqueeze(-1) * bank).sum(0)
    return {"retrieved_representation": h, "attention_weights": weights[: n + 1]}
