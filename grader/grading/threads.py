"""Thousands of tiny tensor operations, in one thread: shared among several they take many times as
long, where another process wants the cores as well."""

from __future__ import annotations

import threading
from types import TracebackType

import torch


class OneThread:
    """While it is entered, by any thread of this process, torch computes in one thread; then in as
    many as before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entered = 0
        self._before = 1

    def __enter__(self) -> None:
        with self._lock:
            if self._entered == 0:
                self._before = torch.get_num_threads()
                torch.set_num_threads(1)
            self._entered += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._entered -= 1
            if self._entered == 0:
                torch.set_num_threads(self._before)


ONE_THREAD = OneThread()
"""The one of this process, for the setting is the process's."""
