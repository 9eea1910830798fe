"""A temporary folder on disk, for forks without a mount namespace; removed whatever is in it."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile

_PREFIX = "tensor-grader-"


def make(uid: int | None) -> str:
    """A new folder that only this user, or `uid` when given, may enter."""
    folder = tempfile.mkdtemp(prefix=_PREFIX)
    if uid is not None:
        os.chown(folder, uid, uid)
    return folder


def remove(folder: str) -> None:
    """Remove the folder with all in it, never following a link and never going deep.

    Each inner folder is first moved to the top, so that a chain of thousands, or one without
    permissions, is no deeper than one when it is emptied.
    """
    with contextlib.suppress(OSError):
        os.chmod(folder, stat.S_IRWXU)
        waiting = [folder]
        while waiting:
            waiting.extend(_empty(waiting.pop(), folder))
        for _ in range(2):
            for name in os.listdir(folder):
                os.rmdir(os.path.join(folder, name))
        os.rmdir(folder)


def _empty(inner: str, top: str) -> list[str]:
    """Unlink the files of `inner`, move its folders to the top; the moved folders."""
    moved = []
    with contextlib.suppress(OSError):
        with os.scandir(inner) as entries:
            found = [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in entries]
        for number, (path, is_folder) in enumerate(found):
            if not is_folder:
                os.unlink(path)
                continue
            os.chmod(path, stat.S_IRWXU)
            target = path if inner == top else os.path.join(top, f"{number}-{_token()}")
            os.rename(path, target)
            moved.append(target)
    return moved


def _token() -> str:
    return os.urandom(8).hex()
