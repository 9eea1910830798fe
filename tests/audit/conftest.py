"""One fork server for all tests of audits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.sandbox.client import Server, start_fresh


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A fork server with all that this machine can enforce."""
    with start_fresh().settle("auto") as started:
        yield started
