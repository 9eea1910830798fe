# verdict: wrong_answer | runtime_error | output_limit | memory_limit | time_limit
"""Forty lists, each holding the one before twice: small in memory, 2**40 items when written out."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    lots = [embedding]
    for _ in range(40):
        lots = [lots, lots]
    return {"retrieved_representation": lots, "attention_weights": tuple(lots)}
