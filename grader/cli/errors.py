"""What the command line can fail with: a plain message and an exit code."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes, which are part of the contract."""

    ACCEPTED = 0
    NOT_ACCEPTED = 1
    USAGE = 2
    PROBLEM_INVALID = 3
    JUDGE_FAILURE = 4
    INTERRUPTED = 130


class CliError(Exception):
    """Shown to the user as it stands, then the process ends with `code`.

    `message` may have several lines; `help` says how to go on, where that is not plain.
    """

    def __init__(self, message: str, *, help: str = "", code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
        self.code = code
