"""The two ways to start the fork server, each until server and parent are ready to grade.

- restart and fork: the program has started, finds out that it has to grade, starts itself again
  with an empty memory, imports torch, forks the server. One import of torch.
- fresh interpreter: the program has started, starts a second interpreter for the server, and
  imports torch beside it. Two imports, at the same time where there are two cores.

`grader.cli.startup` takes the first; this is the measurement behind it. The bare `import torch`
stands for what neither can avoid.

    python tests/benchmarks/bench_start.py [ROUNDS]
"""

from __future__ import annotations

import sys
from statistics import median

from measure import by_turns, core_sets, only_on, program, ratio

from grader.sandbox.settings import THREAD_SETTINGS

BARE = "import os, torch; os._exit(0)"

RESTART_AND_FORK = f"""
import os, sys
then = '''
import os
from grader.sandbox.client import start_by_fork
start_by_fork().settle()
os._exit(0)
'''
os.execve(sys.executable, [sys.executable, "-c", then], os.environ | {THREAD_SETTINGS!r})
"""

# As `client.start_fresh`, but from a process that does not hold torch yet, so that both import it
# at the same time.
FRESH_INTERPRETER = f"""
import os, socket, sys
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
code = "import sys; sys.path.append(''); from grader.sandbox.server import run; run(3)"
pid = os.posix_spawn(
    sys.executable,
    [sys.executable, "-I", "-c", code],
    {THREAD_SETTINGS!r},
    file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), 3)],
)
theirs.close()
from grader.sandbox.client import Server
Server(ours, pid).settle()
os._exit(0)
"""


def main(rounds: int) -> None:
    codes = {
        "import torch": BARE,
        "restart and fork": RESTART_AND_FORK,
        "fresh interpreter": FRESH_INTERPRETER,
    }
    for words, cores in core_sets():
        with only_on(cores):
            found = by_turns({name: program("-c", code) for name, code in codes.items()}, rounds)
        print(f"{words}, median of {rounds}")
        for name, walls in found.items():
            times = ratio(walls, found["import torch"])
            print(f"  {name:<17} {median(walls):6.3f} s   {times:.2f} x import torch")
        times = ratio(found["fresh interpreter"], found["restart and fork"])
        print(f"  fresh interpreter is {times:.2f} x restart and fork")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
