"""Fork servers, each started once: one with all that this machine can enforce, others with less."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from grader.sandbox.client import Server, start_fresh


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """All that can be had here."""
    yield from _started()


@pytest.fixture(scope="session")
def server_watching() -> Iterator[Server]:
    """Memory is looked at from outside, as where no cgroup can be made."""
    yield from _started("cgroup")


@pytest.fixture(scope="session")
def server_without_namespaces() -> Iterator[Server]:
    """As in a container with Docker's default profile."""
    yield from _started("namespaces")


def _started(*without: str) -> Iterator[Server]:
    if sys.platform != "linux":
        pytest.skip("the sandbox needs Linux")
    with start_fresh().settle(without=without) as server:
        yield server
