# verdict: not_loadable
# -*- coding: tensor_grader_rot99 -*-
"""Declares an encoding that does not exist, on the second line, where Python looks for it."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return {}
