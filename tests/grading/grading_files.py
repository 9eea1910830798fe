"""The files of tests/solutions/, each a test: what its first lines promise."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["right", "wrong", "hostile"]
ROOT = Path(__file__).parents[2]
SOLUTIONS = ROOT / "tests" / "solutions"


@dataclass(frozen=True, slots=True)
class Promise:
    """A file, the verdicts it may get, and the traps that its diagnosis must name."""

    path: Path
    problem: str
    verdicts: frozenset[str]
    traps: tuple[str, ...] = ()


def promises(kind: Kind) -> list[Promise]:
    """Every file of this kind, sorted."""
    return [_promise(path) for path in sorted((SOLUTIONS / kind).glob("*/*.py"))]


def name(promise: Promise) -> str:
    """The id of the test: `full_attention_residual/einsum`."""
    return f"{promise.problem}/{promise.path.stem}"


def _promise(path: Path) -> Promise:
    """The first lines, read as bytes: a file need not be UTF-8, nor compile."""
    lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()[:2]
    texts = [line.decode("ascii", "replace") for line in lines]
    assert texts[0].startswith("# verdict:"), f"{path} has no verdict on its first line"
    verdicts = _words(texts[0], "|")
    traps = _words(texts[1], ",") if texts[1].startswith("# traps:") else ()
    return Promise(path, path.parent.name, frozenset(verdicts), traps)


def _words(line: str, separator: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in line.partition(":")[2].split(separator))
