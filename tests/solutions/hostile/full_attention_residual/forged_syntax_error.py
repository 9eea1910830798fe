# verdict: runtime_error | output_limit | memory_limit
"""A SyntaxError of its own making: another file's name, a line that is not there, a billion carets."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    text = "a" * 80
    raise SyntaxError("invalid syntax", ("/etc/passwd", 10**9, 1, text, 10**9, 10**9))
