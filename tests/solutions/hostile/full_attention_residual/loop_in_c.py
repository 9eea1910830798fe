# verdict: time_limit
"""Spends its time in one C call that holds the GIL and never looks at signals."""
from collections import deque
from itertools import repeat


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    deque(repeat(None), maxlen=0)
