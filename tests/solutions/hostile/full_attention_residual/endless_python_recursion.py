# verdict: runtime_error | memory_limit | time_limit
"""Pure Python recursion with the limit lifted to 10 million frames, which eats memory instead of stack."""
import sys


def down(n):
    return down(n - 1) + 1 if n else 0


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sys.setrecursionlimit(10_000_100)
    raise RecursionError(down(10_000_000))
