"""Solutions that break the contract in one way, made from the reference: by check and by kind.

A saboteur is the reference's file with a function of the same name at its end, which calls the
right one and then does what a `when` of a trap says is wrong. It is run in the sandbox like any
solution.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from grader.grading.exam import Exam
from grader.problem.model import Case, Problem, Recognition, TensorInput
from grader.problem.vocabulary import FLOATING, KINDS


@dataclass(frozen=True, slots=True)
class Deed:
    """What is done: `before` the right call, to `given`, the arguments by name; or `after` it, to
    `result`, the outputs by name; `outside` of the function before. All are lines of Python."""

    what: str
    after: str = ""
    before: str = ""
    outside: str = ""


@dataclass(frozen=True, slots=True)
class Saboteur:
    """A whole file. `first_only`: so slow or greedy that one case is enough."""

    what: str
    source: str
    first_only: bool = False


def saboteurs(exam: Exam, rule: Recognition, reference: str) -> list[Saboteur]:
    """All that break the contract as this rule says; none where it cannot be done by a wrapper."""
    problem = exam.problem
    kinds = [rule.kind] if rule.kind is not None else _kinds(problem, rule.check)
    made = []
    for kind in kinds:
        recipe = _RECIPES.get((rule.check, kind))
        for deed in recipe(problem, rule) if recipe is not None else ():
            source = reference + _wrapper(problem, deed, _places(exam, rule.cases))
            made.append(Saboteur(deed.what, source, rule.check in _SLOW))
    return made


_SLOW = ("time", "memory", "output")
_NAMELESS = {"values": "wrong", "shape": "other", "type": "other"}
Recipe = Callable[[Problem, Recognition], Iterator[Deed]]


def _kinds(problem: Problem, check: str) -> Sequence[str]:
    """The kinds to try of a check whose rule names none: what has no name of its own, where there
    is such a kind, else those that no other rule names."""
    if check in _NAMELESS:
        return (_NAMELESS[check],)
    kinds = KINDS[check] or ("",)
    rules = [rule for trap in problem.traps.values() for rule in trap.recognised_by]
    named = {rule.kind for rule in rules if rule.check == check}
    return [kind for kind in kinds if kind not in named] or kinds


def _wrapper(problem: Problem, deed: Deed, places: Sequence[object]) -> str:
    names = [each.name for each in problem.inputs]
    given = ", ".join(f'"{name}": {name}' for name in names)
    tensors = [each.name for each in problem.inputs if isinstance(each, TensorInput)]
    as_dict = "dict(_answer)" if problem.returns == "dict" else _single(problem, "_answer")
    last = "result" if problem.returns == "dict" else f"result[{problem.outputs[0].name!r}]"
    lines = [
        "import torch as _torch",
        f"_right = {problem.entry}",
        f"_places = {list(places)!r}",
        *deed.outside.splitlines(),
        f"def {problem.signature}:",
        f"    given = {{{given}}}",
        f"    _tensors = [given[name] for name in {tensors!r}]",
        "    _here = [(tuple(t.shape), t.is_contiguous(), str(t.dtype)) for t in _tensors]",
        "    if _places and _here not in _places:",
        "        return _right(**given)",
        *(f"    {line}" for line in deed.before.splitlines()),
        "    _answer = _right(**given)",
        f"    result = {as_dict}",
        *(f"    {line}" for line in deed.after.splitlines()),
        f"    return {last}",
    ]
    return "\n\n\n" + "\n".join(lines) + "\n"


def _single(problem: Problem, value: str) -> str:
    return f"{{{problem.outputs[0].name!r}: {value}}}"


def _places(exam: Exam, cases: Sequence[str]) -> list[object]:
    """What the tensors of these cases look like, by which a saboteur knows that it is in one."""
    wanted = [case for case in exam.problem.cases if case.name in cases]
    return [_place(exam, case) for case in wanted]


def _place(exam: Exam, case: Case) -> list[object]:
    values = {a.name: a.value for a in exam.prepared(case).main.call.arguments}
    tensors = [values[each.name] for each in exam.problem.inputs if isinstance(each, TensorInput)]
    return [
        (tuple(value.shape), value.is_contiguous(), str(value.dtype))
        for value in tensors
        if isinstance(value, Tensor)
    ]


# Which outputs and inputs a deed is done to.


def _outputs(problem: Problem, rule: Recognition, axes: int = 0) -> list[str]:
    return [
        each.name
        for each in problem.outputs
        if rule.output in (None, each.name) and len(each.shape) >= axes
    ]


def _inputs(problem: Problem, rule: Recognition, axes: int = 0) -> list[TensorInput]:
    return [
        each
        for each in problem.inputs
        if isinstance(each, TensorInput)
        and rule.output in (None, each.name)
        and len(each.shape) >= axes
    ]


def _floating(problem: Problem, rule: Recognition) -> list[str]:
    found = _inputs(problem, rule)
    return [each.name for each in found if each.dtype is None or each.dtype in FLOATING]


# Recipes.


def _instead(what: str, value: str) -> Recipe:
    """The whole answer is something else."""

    def recipe(problem: Problem, rule: Recognition) -> Iterator[Deed]:
        yield Deed(f"returns {what}", after=f"return {value}")

    return recipe


def _every(what: str, value: str, *, axes: int = 0, outside: str = "") -> Recipe:
    """Each output by itself is replaced by something made of it; `{}` is the output."""

    def recipe(problem: Problem, rule: Recognition) -> Iterator[Deed]:
        for name in _outputs(problem, rule, axes):
            new = value.replace("{}", f"result[{name!r}]")
            yield Deed(f"{what} `{name}`", after=f"result[{name!r}] = {new}", outside=outside)

    return recipe


def _all(what: str, value: str) -> Recipe:
    """All outputs together are replaced, for a mistake that is seldom made in one of them only."""

    def recipe(problem: Problem, rule: Recognition) -> Iterator[Deed]:
        names = _outputs(problem, rule)
        lines = [f"result[{n!r}] = {value.replace('{}', f'result[{n!r}]')}" for n in names]
        yield Deed(what, after="\n".join(lines))

    return recipe


def _both(*recipes: Recipe) -> Recipe:
    def recipe(problem: Problem, rule: Recognition) -> Iterator[Deed]:
        for each in recipes:
            yield from each(problem, rule)

    return recipe


def _without_key(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    for name in _outputs(problem, rule):
        yield Deed(f"leaves `{name}` out", after=f"del result[{name!r}]")


def _another_key(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    first = problem.outputs[0].name
    yield Deed("returns another key as well", after=f"result['zz9'] = result[{first!r}]")


def _misspelled_key(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    for name in _outputs(problem, rule):
        after = f"result[{f'{name}s'!r}] = result.pop({name!r})"
        yield Deed(f"misspells `{name}`", after=after)


def _swapped_keys(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    names = [each.name for each in problem.outputs]
    for one, other in itertools.pairwise(names):
        after = f"result[{one!r}], result[{other!r}] = result[{other!r}], result[{one!r}]"
        yield Deed(f"exchanges `{one}` and `{other}`", after=after)


def _another_dtype(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    kinds = [rule.kind] if rule.kind is not None else ["float32", "float64", "float16"]
    for kind in kinds:
        for recipe in (
            _all(f"returns {kind}", f"{{}}.to(_torch.{kind})"),
            _every(f"returns in {kind}", f"{{}}.to(_torch.{kind})"),
        ):
            yield from recipe(problem, rule)


def _narrowed(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    lines = [
        f"if given[{name!r}].dtype == _torch.float64: given[{name!r}] = given[{name!r}].float()"
        for name in _floating(problem, Recognition("precision"))
    ]
    names = _outputs(problem, Recognition("precision"))
    first = _floating(problem, Recognition("precision"))[:1]
    if not first:
        return
    after = [f"result[{name!r}] = result[{name!r}].to(_dtype)" for name in names]
    before = [f"_dtype = given[{first[0]!r}].dtype", *lines]
    yield Deed("computes in single precision", "\n".join(after), "\n".join(before))


def _changed_input(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    for each in _inputs(problem, rule):
        change = "logical_not_()" if each.dtype == "bool" else "add_(1)"
        after = f"given[{each.name!r}].{change}"
        yield Deed(f"changes `{each.name}` in place", after=after)


def _viewed_input(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    for each in _inputs(problem, Recognition("layout"), axes=2):
        yield Deed(f"takes a view of `{each.name}`", before=f"given[{each.name!r}].view(-1)")


def _kept(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    names = [each.name for each in problem.outputs]
    first = names[0]
    yield Deed(
        "counts its calls in the result",
        after=f"result[{first!r}] = result[{first!r}] + len(_kept)\n_kept.append(1)",
        outside="_kept = []",
    )
    yield Deed(
        "answers from a cache by shape",
        after="result = _kept.setdefault(str(_here), result)",
        outside="_kept = {}",
    )


def _detached(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    for name in _floating(problem, rule):
        before = f"given[{name!r}] = given[{name!r}].detach()"
        yield Deed(f"detaches `{name}`", before=before)


def _half_detached(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    for name in _floating(problem, rule):
        value = f"given[{name!r}]"
        before = f"{value} = 0.5 * {value} + 0.5 * {value}.detach()"
        yield Deed(f"detaches half of `{name}`", before=before)


def _failing_backward(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    name = problem.outputs[0].name
    value = f"result[{name!r}]"
    after = f"{value}.register_hook(_fail) if {value}.requires_grad else None"
    outside = "def _fail(gradient):\n    raise ValueError('in the backward pass')"
    yield Deed("raises in the backward pass", after=after, outside=outside)


def _raising(problem: Problem, rule: Recognition) -> Iterator[Deed]:
    yield Deed("raises", before="raise ValueError('as planned')")


_ELSEWHERE = "{} if {}.device.type == 'cpu' else _torch.zeros({}.shape, dtype={}.dtype)"

_NOISE = "{} + _torch.rand({}.shape, device={}.device).to({}.dtype)"

_RECIPES: Mapping[tuple[str, str], Recipe] = {
    ("type", "none"): _instead("None", "None"),
    ("type", "tuple"): _instead("a tuple", "tuple(result.values())"),
    ("type", "list"): _instead("a list", "list(result.values())"),
    ("type", "float"): _instead("a number", "1.0"),
    ("type", "other"): _instead("a text", "'an answer'"),
    ("type", "nested"): _every("wraps in a list", "[{}]"),
    ("type", "numpy"): _both(
        _all("returns NumPy arrays", "{}.detach().numpy()"),
        _every("returns a NumPy array as", "{}.detach().numpy()"),
    ),
    ("type", "parameter"): _every("returns a parameter as", "_torch.nn.Parameter({}.detach())"),
    ("type", "subclass"): _every(
        "returns a subclass as", "{}.as_subclass(_Odd)", outside="class _Odd(_torch.Tensor): pass"
    ),
    ("keys", "missing"): _without_key,
    ("keys", "extra"): _another_key,
    ("keys", "misspelled"): _misspelled_key,
    ("keys", "swapped"): _swapped_keys,
    ("shape", "permuted"): _both(
        _every("exchanges the last two axes of", "{}.transpose(-1, -2)", axes=3),
        _every("reverses the axes of", "{}.permute(*reversed(range({}.dim())))", axes=3),
    ),
    ("shape", "first_axis_last"): _every(
        "moves the first axis to the end of", "{}.movedim(0, -1)", axes=2
    ),
    ("shape", "extra_axis"): _both(
        _every("keeps an axis at the end of", "{}.unsqueeze(-1)"),
        _every("keeps an axis in front of", "{}.unsqueeze(0)"),
    ),
    ("shape", "unreduced_axis"): _every("stacks with itself", "_torch.stack([{}, {}, {}], -1)"),
    ("shape", "missing_axis"): _every("sums up the first axis of", "{}.sum(0)", axes=1),
    ("shape", "other"): _every(
        "lengthens each axis of", "{}.new_zeros([size + 1 for size in {}.shape])", axes=1
    ),
    ("device", "mixed"): _every(
        "adds a tensor of the CPU to", "{} + _torch.zeros({}.shape, dtype={}.dtype)", axes=1
    ),
    ("device", "cpu"): _every("leaves on the CPU", _ELSEWHERE, axes=1),
    ("device", "cuda"): _every("moves to a GPU", "{}.cuda()"),
    ("values", "wrong"): _all("adds one to all values", "{} + 1"),
    ("values", "nan"): _all("returns NaN", "_torch.full_like({}, float('nan'))"),
    ("values", "inf"): _all("returns infinity", "_torch.full_like({}, float('inf'))"),
    ("precision", "narrowed"): _narrowed,
    ("layout", "view"): _viewed_input,
    ("state", "previous"): _kept,
    ("state", "repeat"): _all("adds noise to all outputs", _NOISE),
    ("gradient", "missing"): _detached,
    ("gradient", "wrong"): _half_detached,
    ("gradient", "error"): _failing_backward,
    ("error", "raised"): _raising,
    ("mutation", ""): _changed_input,
    ("output", ""): lambda problem, rule: iter(
        [Deed("prints without end", before="while True: print('x' * 10_000)")]
    ),
    ("memory", ""): lambda problem, rule: iter(
        [Deed("asks for a terabyte", before="_torch.ones(1 << 37, dtype=_torch.float64)")]
    ),
    ("time", ""): lambda problem, rule: iter([Deed("never ends", before="while True: pass")]),
    **{("dtype", kind): _another_dtype for kind in ("", "float16", "bfloat16", "float32")},
    **{("dtype", kind): _another_dtype for kind in ("float64", "int32", "int64", "bool")},
}
