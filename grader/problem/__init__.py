"""What a problem is: problem.yaml to a frozen `Problem`, every mistake with line and column.

`load.load` reads a folder and takes pydantic for it; `catalog` finds and lists folders without.
"""

from grader.problem.errors import ProblemInvalid, SpecError
from grader.problem.model import Problem

__all__ = ["Problem", "ProblemInvalid", "SpecError"]
