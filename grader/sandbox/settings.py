"""Constants that both ends of the control socket, and whoever starts a server, must agree on."""

from __future__ import annotations

THREAD_SETTINGS = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
"""One thread each: a fork of a process with thread pools would wait for threads it lacks."""

MAX_MESSAGE = 1 << 18
"""The longest message on the control socket, in bytes."""
