"""Thousands of damaged specs of the real problem: each is a problem, or mistakes with a place.

Bytes replaced, values put after another key, lines deleted or doubled, words exchanged. Anything
that is raised but ProblemInvalid is printed, and the damaged file kept.

    python tests/benchmarks/fuzz_problem.py [COUNT] [SEED]
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from measure import PROBLEM, ROOT

sys.path.insert(0, str(ROOT))

from tests.problem.test_problem_fuzz import PIECES, moved, mutate, outcome

WORDS = [b"1e400", b"-3", b"[1, 2", b"{a: b}", b"null", b"yes", b"0x10", b"float99", b"~", b'"x']


def damaged(spec: bytes, rng: random.Random) -> bytes:
    """One damaged copy; valid YAML of the wrong form as often as broken YAML."""
    lines = spec.split(b"\n")
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.choices(["bytes", "moved", "deleted", "doubled", "word"], [7, 5, 3, 3, 2])[0]
    if kind == "bytes":
        changes = [
            (rng.randrange(1000), rng.randrange(30), rng.choice([*PIECES, rng.randbytes(4)]))
            for _ in range(rng.randint(1, 4))
        ]
        return mutate(spec, changes)
    if kind == "moved":
        return moved(spec, place, other)
    if kind == "deleted":
        del lines[place : place + rng.randint(1, 4)]
    elif kind == "doubled":
        lines.insert(other, lines[place])
    else:
        words = lines[place].split(b" ")
        words[rng.randrange(len(words))] = rng.choice(WORDS)
        lines[place] = b" ".join(words)
    return b"\n".join(lines)


def main() -> None:
    count, seed = (int(text) for text in [*sys.argv[1:], "5000", "0"][:2])
    rng = random.Random(seed)
    folder = Path(tempfile.mkdtemp()) / PROBLEM.name
    shutil.copytree(PROBLEM, folder)
    shutil.copy(ROOT / "solutions" / f"{PROBLEM.name}.py", folder / "reference.py")
    spec = (folder / "problem.yaml").read_bytes()
    spec = spec.replace(b"\nentry:", b"\nreference: reference.py\nentry:", 1)
    counts: Counter[str] = Counter()
    for number in range(count):
        copy = damaged(spec, rng)
        try:
            counts["problems" if outcome(folder, copy) else "mistakes"] += 1
        except Exception as error:
            counts["failures"] += 1
            kept = folder.parent / f"failure_{number}.yaml"
            kept.write_bytes(copy)
            print(f"{type(error).__name__}: {error} ({kept})")
    print(dict(counts))
    if not counts["failures"]:
        shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main()
