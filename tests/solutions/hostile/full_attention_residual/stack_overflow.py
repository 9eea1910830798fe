# verdict: runtime_error | memory_limit | time_limit
"""Raises the recursion limit and recurses through C (repr), until the stack is gone."""
import sys

sys.setrecursionlimit(2**31 - 1)


class Matryoshka:
    def __repr__(self):
        return repr([self])[1:-1]


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return {"retrieved_representation": repr(Matryoshka())}
