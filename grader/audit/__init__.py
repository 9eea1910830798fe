"""Proof that a problem catches its mistakes: what an instructor runs before a class meets it.

Each module is one kind of question; `run` asks them all and puts the answers together.
"""
