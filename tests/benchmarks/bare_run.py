"""The least a program can do to run the calls of a grade: `bare_run.py SOLUTION CALLS [OPTION]`.

No isolation, no checks, no expected values: torch is imported, the inputs are loaded, the solution
is imported and called. `bench_grade.py` writes CALLS and takes this as the measure.
`--meta`: make the call on the meta device too. `--quick`: end without torch's own tear-down.
"""

from __future__ import annotations

import importlib.util
import os
import sys

import torch


def main(solution: str, calls: str, *, meta: bool) -> None:
    spec = importlib.util.spec_from_file_location("solution", solution)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    prepared = torch.load(calls, weights_only=False)  # our own file, of a moment ago
    for call in prepared["calls"]:
        if call["device"] == "meta" and not meta:
            continue
        leaves = [call["arguments"][name].requires_grad_() for name in call["gradients"]]
        result = getattr(module, prepared["entry"])(**call["arguments"])
        if leaves:
            total = torch.stack(
                [(result[name] * weight).sum() for name, weight in call["cotangents"].items()]
            ).sum()
            torch.autograd.grad(total, leaves)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], meta="--meta" in sys.argv[3:])
    if "--quick" in sys.argv[3:]:
        os._exit(0)
