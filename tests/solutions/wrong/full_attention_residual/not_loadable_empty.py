# verdict: not_loadable
"""Nothing but this docstring."""
