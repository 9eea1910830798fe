# verdict: not_loadable | wrong_answer | runtime_error
# -*- coding: utf-7 -*-
"""Declares UTF-7: the program that Python reads is another one than the text that a person or an AST tool reads as UTF-8."""
import torch

# harmless comment +AAo-def full+AF8-attention+AF8-residual(embedding, previous+AF8-outputs, pseudo+AF8-query, eps=1e-6): return None


def full_attention_residual_as_seen(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return {"retrieved_representation": torch.zeros_like(embedding), "attention_weights": previous_outputs}
