"""What is enforced, and the order in which a fork gives up its powers.

`Policy` is what the parent asks for, `Plan` what this machine can do of it. Turning single
mechanisms off (`without`) is how the weaker machines are tested on a strong one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from grader.results import Isolation
from grader.sandbox import view
from grader.sandbox.kernel import landlock, namespaces, powers, seccomp

Mode = Literal["auto", "strict", "none"]
Mechanism = Literal["namespaces", "landlock", "seccomp", "cgroup"]

NOBODY = 65534
OPEN_FILES = 256
FILE_MB = 64
"""The most one file, and the scratch folder as a whole, may hold."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The mechanisms in force. `uid`: the user to become (plain root), None to stay."""

    namespaces: bool
    landlock: int
    seccomp: bool
    uid: int | None
    readable: tuple[str, ...]
    devices: tuple[str, ...]
    private: tuple[str, ...]
    cuda: bool


def make_plan(
    mode: Mode, private: Collection[str], without: Collection[str], *, cuda: bool
) -> Plan:
    """What this machine can enforce of `mode`; nothing is changed yet."""
    linux = sys.platform == "linux" and mode != "none"
    apart = linux and "namespaces" not in without and namespaces.available()
    readable = view.readable_paths(cuda=cuda) if linux else ()
    hidden = view.exposed((*view.own_paths(), *private), readable)
    return Plan(
        namespaces=apart,
        landlock=landlock.abi() if linux and "landlock" not in without else 0,
        seccomp=linux and "seccomp" not in without and seccomp.supported(),
        uid=NOBODY
        if linux and not apart and os.geteuid() == 0 and _all_may_read(readable)
        else None,
        readable=readable,
        devices=view.device_paths(cuda=cuda) if linux else (),
        private=hidden,
        cuda=cuda,
    )


def describe(plan: Plan, memory: Literal["cgroup", "rss"]) -> Isolation:
    """The plan as the report states it, with what is missing in words."""
    missing = []
    if not plan.namespaces:
        missing.append("namespaces")
    if not plan.landlock:
        missing.append("Landlock")
    if not plan.seccomp:
        missing.append("seccomp")
    if not plan.namespaces and plan.readable and os.geteuid() == 0 and plan.uid is None:
        missing.append("a user of its own (the interpreter lies where only root may read)")
    return Isolation(
        namespaces=plan.namespaces,
        landlock=plan.landlock,
        memory=memory,
        network="none" if plan.namespaces or plan.seccomp else "host",
        seccomp=plan.seccomp,
        missing=tuple(missing),
    )


def is_strict(isolation: Isolation) -> bool:
    """Whether it is enough for strangers' code: files out of reach, by namespaces or Landlock."""
    return isolation.namespaces or isolation.landlock > 0


def confine(plan: Plan, scratch: str, cpu_s: int) -> str:
    """Give up, in this fork and for good, all that the plan names; the scratch folder's path.

    Everything that needs a power comes first: mounts, then the user, then the capabilities; the
    filters last, for they would refuse the rest.
    """
    folder = namespaces.private_scratch(FILE_MB) if plan.namespaces else scratch
    if plan.landlock or plan.seccomp:
        powers.no_new_privileges()
    if plan.uid is not None:
        powers.become(plan.uid)
    if plan.readable:
        powers.end_with_parent()
        powers.drop_capabilities()
        powers.hide_from_tracers()
    powers.limit_resources(
        cpu_s=cpu_s, file_mb=FILE_MB, open_files=OPEN_FILES, processes=_process_limit(plan)
    )
    if plan.landlock:
        readable = view.without_private(plan.readable, plan.private)
        landlock.restrict(plan.landlock, readable, (folder, *plan.devices))
    if plan.seccomp:
        seccomp.install(devices=plan.cuda)
    return folder


def _process_limit(plan: Plan) -> int | None:
    """Processes and threads of this user. Without a user or namespace of its own it would count
    everything the user runs, and refuse threads to honest code."""
    return 256 if plan.namespaces or plan.uid is not None else None


def _all_may_read(paths: Collection[str]) -> bool:
    """Whether any user may read these folders: each folder on the way must let others pass."""
    return all(_passable(path) for path in paths if not path.startswith(("/proc", "/sys")))


def _passable(path: str) -> bool:
    needed = 0o005 if os.path.isdir(path) else 0o004
    while path != "/":
        try:
            if os.stat(path).st_mode & needed != needed:
                return False
        except OSError:
            return False
        path, needed = os.path.dirname(path), 0o001
    return True
