# verdict: memory_limit | runtime_error
"""Ten gigabytes in one bytearray, outside of what torch counts."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    cache = bytearray(10 * 2**30)
    cache[::4096] = b"\x01" * len(range(0, len(cache), 4096))
    return {"retrieved_representation": embedding * 0, "attention_weights": len(cache)}
