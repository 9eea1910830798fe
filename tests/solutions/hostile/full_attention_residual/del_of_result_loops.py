# verdict: wrong_answer | time_limit | runtime_error
"""The result holds an object that loops for ever when it is let go."""
import torch


class Sticky:
    def __del__(self):
        while True:
            pass


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return {"retrieved_representation": torch.zeros_like(embedding), "attention_weights": Sticky()}
