"""Tensors of a case: made from a seed, compared, put in words, put in bytes. Pure."""
