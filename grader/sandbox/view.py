"""Which files a solution may read: the interpreter, torch and the libraries they load, no more.

Paths are found from this very process, so that a virtual environment, a distribution's Python or
a build under a home folder all work. Folders that hold secrets (problems, other submissions) are
*private*: where one lies below a readable folder, the folder is given entry by entry without it.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

_LIBRARY_FOLDERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_FILES = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
)
_PACKAGE_FOLDERS = ("site-packages", "dist-packages", "lib-dynload")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_CUDA = (
    "/dev/nvidiactl",
    "/dev/nvidia-uvm",
    "/dev/nvidia-uvm-tools",
    "/dev/nvidia-caps",
    *(f"/dev/nvidia{number}" for number in range(16)),
)
_CUDA_FILES = ("/proc", "/sys")

PACKAGE = Path(__file__).resolve().parent.parent
"""The grader's own package: never readable from inside, nor the checkout it lies in."""


def readable_paths(*, cuda: bool) -> tuple[str, ...]:
    """Folders and files a solution may read, none below another, all existing.

    cuda: with the kernel's own files, in which the driver looks for its devices. What they tell of
    other processes stays closed, to a process in another user namespace or Landlock domain.
    """
    wanted = [
        *_python_folders(),
        *_loaded_library_folders(),
        *_LIBRARY_FOLDERS,
        *_FILES,
        *(_CUDA_FILES if cuda else ()),
    ]
    return _outermost(path for path in wanted if os.path.exists(path))


def package_folders() -> tuple[str, ...]:
    """The folders of `sys.path` that packages were installed to, in order: known by their names,
    and the one that torch was imported from, whatever its name."""
    origin = getattr(sys.modules.get("torch"), "__file__", None)
    holder = os.path.dirname(os.path.dirname(origin)) if origin else None
    return tuple(
        entry
        for entry in sys.path
        if os.path.isabs(entry) and (Path(entry).name in _PACKAGE_FOLDERS or entry == holder)
    )


def device_paths(*, cuda: bool) -> tuple[str, ...]:
    """Device files, which may be opened for writing too."""
    wanted = (*_DEVICES, *_CUDA) if cuda else _DEVICES
    return tuple(path for path in wanted if os.path.exists(path))


def own_paths() -> tuple[str, ...]:
    """Where the grader itself lies: private, wherever it was installed."""
    beside = [str(path) for path in PACKAGE.parent.glob("tensor_grader*")]
    return (str(PACKAGE), *beside)


def exposed(private: Iterable[str], readable: Iterable[str]) -> tuple[str, ...]:
    """Where private paths lie below readable ones, and so must be taken out: named as they are
    seen there, for a readable path may lead through a link (a virtual environment's, say).

    The others are out of reach anyway. One that *contains* a readable path (a project with its
    virtual environment inside) is no reason to hide the interpreter.
    """
    real = [os.path.realpath(path) for path in private]
    roots = [(path, os.path.realpath(path).rstrip(os.sep) + os.sep) for path in readable]
    return tuple(
        os.path.join(path, secret.removeprefix(root))
        for path, root in roots
        for secret in real
        if secret.startswith(root)
    )


def without_private(paths: Iterable[str], private: Iterable[str]) -> Iterator[str]:
    """The paths, with each folder that holds a private one replaced by its other entries.

    Links among the entries are left out: what they lead to is given by its own path, or not at all.
    """
    hidden = {os.path.realpath(path) for path in private}
    for path in paths:
        yield from _carve(path, hidden)


def _carve(path: str, hidden: set[str]) -> Iterator[str]:
    real = os.path.realpath(path)
    if real in hidden:
        return
    if not any(secret.startswith(real.rstrip(os.sep) + os.sep) for secret in hidden):
        yield path
        return
    try:
        entries = sorted(os.listdir(path))
    except OSError:
        return
    for entry in entries:
        inner = os.path.join(path, entry)
        if not os.path.islink(inner):
            yield from _carve(inner, hidden)


def _python_folders() -> Iterator[str]:
    """The standard library and the packages beside it, but not the grader's own checkout."""
    for kind in ("stdlib", "platstdlib", "purelib", "platlib"):
        yield sysconfig.get_path(kind)
    yield sysconfig.get_path("stdlib", vars={"base": sys.base_prefix, "platbase": sys.base_prefix})
    yield from package_folders()


def _loaded_library_folders() -> Iterator[str]:
    """Folders of the shared libraries this process has mapped: libc's, libpython's, torch's."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            lines = maps.read().splitlines()
    except OSError:
        return
    for line in lines:
        path = line[line.find("/") :] if "/" in line else ""
        if ".so" in path:
            yield os.path.dirname(path)


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """Without duplicates and without what lies below another entry, by real path.

    A symbolic link (such as /lib) is kept under its own name as well, for the loader uses it.
    """
    kept: list[str] = []
    for path in sorted(set(paths), key=lambda name: (len(name), name)):
        if not any(path.startswith(outer.rstrip(os.sep) + os.sep) for outer in kept):
            kept.append(path)
    return tuple(kept)
