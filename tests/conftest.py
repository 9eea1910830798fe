"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples in every run, as with explicit seeds; no deadline, for a busy machine is no bug.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")
