"""Which device to grade on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from grader.cli.errors import CliError, ExitCode

# The nodes of the drivers that torch calls "cuda": NVIDIA, NVIDIA under WSL, AMD.
_DRIVER_NODES = tuple(Path(node) for node in ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd"))


def pick_device(choice: Literal["auto", "cpu", "cuda"]) -> Literal["cpu", "cuda"]:
    """The device meant; `cuda` where there is none is an error, never a grade of 0."""
    if choice == "cpu":
        return "cpu"
    if _cuda_is_available():
        return "cuda"
    if choice == "auto":
        return "cpu"
    raise CliError(
        "no CUDA device is available here, so nothing was graded",
        help="use --device cpu",
        code=ExitCode.JUDGE_FAILURE,
    )


def _cuda_is_available() -> bool:
    """Asks torch, but spares its import where Linux shows no driver."""
    if sys.platform == "linux" and not any(node.exists() for node in _DRIVER_NODES):
        return False
    import torch

    return torch.cuda.is_available()
