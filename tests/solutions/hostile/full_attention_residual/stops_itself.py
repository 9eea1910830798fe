# verdict: time_limit | wrong_answer
"""Stops its own process: neither dead nor running. (The first process of a pid namespace cannot, and goes on to return zeros.)"""
import os
import signal

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    os.kill(os.getpid(), signal.SIGSTOP)
    return {
        "retrieved_representation": torch.zeros_like(embedding),
        "attention_weights": embedding.new_zeros(len(previous_outputs) + 1, *embedding.shape[:2]),
    }
