# verdict: not_loadable | runtime_error | wrong_answer
"""Takes nothing, but __signature__, __wrapped__ and __code__ tell otherwise, and looking at them runs code."""
import inspect


class Entry:
    __name__ = __qualname__ = "full_attention_residual"

    @property
    def __signature__(self):
        names = ("embedding", "previous_outputs", "pseudo_query", "eps")
        return inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names])

    @property
    def __wrapped__(self):
        return self  # an endless chain for inspect.unwrap

    def __call__(self):
        return {"verdict": "accepted"}


full_attention_residual = Entry()
