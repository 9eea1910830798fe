# verdict: not_loadable | wrong_answer | runtime_error
"""No such function in the file: a module __getattr__ makes one up, another at each look, and zeros are all it gives."""
import torch


def __getattr__(name):
    if name == "full_attention_residual":

        def function(embedding, previous_outputs, pseudo_query, eps=1e-6):
            weights = embedding.new_zeros(len(previous_outputs) + 1, *embedding.shape[:2])
            return {"retrieved_representation": torch.zeros_like(embedding), "attention_weights": weights}

        return function
    raise AttributeError(name)
