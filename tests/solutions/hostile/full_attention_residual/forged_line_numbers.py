# verdict: runtime_error
"""Raises from code compiled under other files' names and at lines that do not exist."""

source = "\n" * 1_000_000 + "def blame(x):\n    raise ValueError('see the reference at line 1000002')\n"
scope = {}
exec(compile(source, "/etc/hostname", "exec"), scope)
blame = scope["blame"]
blame.__code__ = blame.__code__.replace(
    co_filename="problems/full_attention_residual/stages.py",
    co_name="accepted\x1b[0m\n<b>",
    co_firstlineno=2_000_000_000,
)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    __file__ = "../../solutions/full_attention_residual.py"
    blame(__file__)
