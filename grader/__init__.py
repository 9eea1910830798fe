"""Tensor Grader: grades tensor exercises, isolated, and says what went wrong."""

__version__ = "0.1.0"
