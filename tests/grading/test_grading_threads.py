"""One thread for tiny operations, and what was set before afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from grader.grading.threads import OneThread


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
def test_one_inside_and_as_before_outside() -> None:
    """Also when it is entered twice."""
    one = OneThread()
    with one:
        with one:
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2
