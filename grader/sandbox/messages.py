"""What the parent asks of a fork and what it hears back, as frozen values. No torch.

A solution's answer is a tree of these values: what could be read of it, never an object of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class TensorValue:
    """A tensor, exactly `torch.Tensor`. `data` is None on meta, and where `defect` says why."""

    dtype: str
    shape: tuple[int, ...]
    device: str
    data: Tensor | None
    defect: str = ""


@dataclass(frozen=True, slots=True)
class PlainValue:
    """None, a bool, a number or a text; `type` is NoneType, bool, int, float or str."""

    type: str
    text: str


@dataclass(frozen=True, slots=True)
class SequenceValue:
    """A tuple or a list."""

    type: Literal["tuple", "list"]
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class DictValue:
    """A dict with text keys, in order."""

    items: tuple[tuple[str, Value], ...]

    def get(self, key: str) -> Value | None:
        return dict(self.items).get(key)


@dataclass(frozen=True, slots=True)
class OtherValue:
    """Anything else: its type's name, and a shape when it has one."""

    type: str
    text: str = ""


Value = TensorValue | PlainValue | SequenceValue | DictValue | OtherValue


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception of the solution. `lines` are (line, function) in its own file, outermost first.

    All of it comes from the solution's process: quote nothing by it unchecked. `phase` is
    "import", "call" or "backward".
    """

    type: str
    message: str
    lines: tuple[tuple[int, str], ...]
    phase: str = "call"
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The solution's process is gone, or was ended: no answer. `detail` is in words."""

    reason: Literal["died", "time", "memory", "output", "malformed", "lost"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class EntryProblem:
    """The file was imported, but its entry cannot be called as the problem says."""

    kind: Literal["missing", "not_callable", "class", "async", "generator", "signature"]
    found: str = ""
    names: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Ready:
    """The file was imported and its entry can be called; `keyword`: by keyword alone."""

    keyword: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call returned. `gradients` is by input name, None for an input that has none.

    `mutated` names the inputs whose bytes changed, as the parent itself saw them.
    `device_conflict` says where tensors of two devices met, in a call on the meta device.
    """

    value: Value
    mutated: tuple[str, ...]
    gradients: dict[str, Tensor | None] | None = None
    backward: Raised | None = None
    device_conflict: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """What a solution printed in one step, cut at its limit."""

    text: str
    cut: bool


SILENCE = Output("", cut=False)


StepKind = Literal["call", "name", "argument", "returned"]


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A tensor that a line of the solution made: the result of a torch call, or bound to a name, or
    given to a function of the file, or returned under a key; `what` is the call, name or key.

    `sources` are the earlier steps that it was made from, as numbers; -1 - n is input n of the
    call. `callers` are the lines that called the function, innermost first; `call` tells the calls
    of functions apart. `tracks`: whether a gradient would pass through it.
    """

    line: int
    what: str
    value: Tensor
    kind: StepKind = "call"
    sources: tuple[int, ...] = ()
    callers: tuple[int, ...] = ()
    call: int = 0
    tracks: bool = False


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function of the file was called at a line; `plain`: its parameters that are no tensors."""

    line: int
    plain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Traced:
    """What one call did: the tensors it made; the lines that returned, and first changed an input.

    `lines` are those that ran, in order. `calls` are of functions of the file, by `TraceStep.call`;
    the first is the entry. `renumbered`: where a number of the call's got another value under its
    name, as (line, name).
    """

    steps: tuple[TraceStep, ...] = ()
    returned: int | None = None
    mutated: int | None = None
    lines: tuple[int, ...] = ()
    calls: tuple[FunctionCall, ...] = ()
    renumbered: tuple[tuple[int, str], ...] = ()


LoadOutcome = Ready | EntryProblem | Raised | Ended
CallOutcome = Answer | Raised | Ended


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call: a tensor, or a Python number."""

    name: str
    value: Tensor | float | int


@dataclass(frozen=True, slots=True)
class Call:
    """A call to make. `cotangents` (by output name, "" for a lone tensor) asks for gradients of
    `gradients`, the names of tensor arguments. `chance` seeds torch's global generator."""

    arguments: tuple[Argument, ...]
    device: Literal["cpu", "cuda", "meta"] = "cpu"
    gradients: tuple[str, ...] = ()
    cotangents: dict[str, Tensor] | None = None
    chance: int = 0


Header = dict[str, Any]
