# verdict: wrong_answer | runtime_error
"""A dict that holds itself."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    result = {"retrieved_representation": embedding * 0}
    result["attention_weights"] = result
    result["list"] = [result, result]
    return result
