"""The sandbox's own failure: never a verdict about a solution."""

from __future__ import annotations


class SandboxUnavailable(Exception):
    """The machine cannot enforce what was asked, or the server failed or is gone."""
