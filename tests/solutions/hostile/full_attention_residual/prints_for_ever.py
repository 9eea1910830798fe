# verdict: output_limit | time_limit
"""Prints without end, to both streams in turn."""
import sys


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    step = 0
    while True:
        print("step", step, file=(sys.stdout, sys.stderr)[step % 2])
        step += 1
