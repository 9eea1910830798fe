# verdict: wrong_answer | runtime_error
"""A list nested 100,000 deep as one value and a dict nested 100,000 deep as the other."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    inner, outer = [], {}
    for _ in range(100_000):
        inner, outer = [inner], {"attention_weights": outer}
    return {"retrieved_representation": inner, "attention_weights": outer}
