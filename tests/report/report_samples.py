"""Hand-made reports and a problem that the tests of the writers share."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from io import StringIO
from pathlib import Path

from rich.console import Console, RenderableType

from grader.problem.expressions import parse
from grader.problem.model import (
    Case,
    Constant,
    Fill,
    Limits,
    Normal,
    Output,
    Problem,
    ScalarInput,
    TensorInput,
    Values,
)
from grader.results import (
    CaseResult,
    Diagnosis,
    Finding,
    Frame,
    Isolation,
    NamedTrap,
    Report,
    Verdict,
)

ISOLATION = Isolation(namespaces=True, landlock=6, memory="rss", network="none", seccomp=True)
SHAPE = Finding(
    check="shape",
    kind="other",
    output="attention_weights",
    message="attention_weights has the shape f32[2,1,3], expected f32[3,1,3]",
    help="one weight a source: the embedding and every previous output",
)
VALUES = Finding(
    check="values",
    kind="wrong",
    output="retrieved_representation",
    message="12 of 12 values are wrong, first at [batch 0, sequence 0, width 0]",
)
TRAP = NamedTrap(
    id="missing_embedding",
    stage="sources",
    title="The embedding is not among the sources",
    hint="Put the embedding in front of the previous outputs.",
)


def case(name: str, verdict: Verdict = Verdict.ACCEPTED, **changes: object) -> CaseResult:
    """A hidden case of 5 points."""
    score = Decimal(5) if verdict is Verdict.ACCEPTED else Decimal(0)
    made = CaseResult(
        name=name,
        visibility="hidden",
        verdict=verdict,
        score=score,
        max_score=Decimal(5),
        duration_s=0.002,
    )
    return replace(made, **changes)  # type: ignore[arg-type] # names are checked by replace


def report(verdict: Verdict, *cases: CaseResult, **changes: object) -> Report:
    """A report on `alice.py` whose scores are the sums of its cases."""
    made = Report(
        problem="full_attention_residual",
        title="Full Attention Residuals",
        problem_hash="sha256:aa",
        solution="solutions/alice.py",
        solution_hash="sha256:bb",
        device="cpu",
        seed=123,
        verdict=verdict,
        score=sum((c.score for c in cases), Decimal(0)),
        max_score=sum((c.max_score for c in cases), Decimal(0)),
        cases=cases,
        diagnosis=None,
        isolation=ISOLATION,
        versions={"grader": "0.1.0", "python": "3.11.2", "torch": "2.13.0"},
        duration_s=1.93,
    )
    return replace(made, **changes)  # type: ignore[arg-type] # names are checked by replace


def wrong_answer() -> Report:
    """A solution without the embedding: one public and two hidden cases fail, one is right."""
    return report(
        Verdict.WRONG_ANSWER,
        case(
            "worked example",
            Verdict.WRONG_ANSWER,
            visibility="public",
            description="float32, batch 1, sequence 3, layers 2, width 4",
            findings=(SHAPE, VALUES),
        ),
        case("mixed magnitudes", Verdict.WRONG_ANSWER, findings=(VALUES,), hint="look at sources"),
        case(
            "strided inputs",
            Verdict.SKIPPED,
            findings=(Finding("needs", 'it needs "mixed magnitudes", which failed'),),
        ),
        case("zero layers", max_score=Decimal("5.5"), score=Decimal("5.5")),
        diagnosis=Diagnosis(
            traps=(replace(TRAP, why="Source 0 is the embedding."),),
            summary="the embedding is not among the sources",
            failed_cases=2,
            explained_cases=2,
            first_wrong_stage="sources",
            line=5,
            source="    sources = previous_outputs",
            last_right_line=4,
            last_right_source="    keys = rms(previous_outputs)",
            right_stage="keys",
            evidence="what was returned equals what this gives to 2e-7, in 4 of 4 cases.",
        ),
    )


def crash() -> Report:
    """A solution that prints much and raises text full of markup and escape codes."""
    return report(
        Verdict.RUNTIME_ERROR,
        case(
            "worked example",
            Verdict.RUNTIME_ERROR,
            visibility="public",
            findings=(Finding("error", "ValueError: [bold]no[/bold] \x1b[2J\x00\ud800"),),
            frames=(
                Frame(12, "full_attention_residual", "    keys = rms(sources)"),
                Frame(4, "rms", '    raise ValueError("[bold]no[/bold]")'),
            ),
            output="".join(f"step {i}\n" for i in range(2000)),
            output_cut=True,
        ),
        case("endless", Verdict.TIME_LIMIT, findings=(Finding("time", "ended after 4 s"),)),
    )


def accepted() -> Report:
    """Every case right."""
    return report(Verdict.ACCEPTED, case("worked example", visibility="public"), case("hidden one"))


def problem(*, returns_dict: bool) -> Problem:
    """The mean of two rows, with one public and one hidden case."""
    rows = (parse("rows"), parse("width"))
    public = Case(
        name="by hand",
        visibility="public",
        points=Decimal("2.5"),
        dims={"rows": 2, "width": 1},
        dtype="float64",
        fills={
            "values": Fill(Values(((parse("sqrt(2)"),), (parse(1),)))),
            "eps": Fill(Constant(parse("1e-12"))),
        },
        gradients=("values",),
        expected={"mean": Values((parse(0.5), parse(1 / 3)))},
    )
    hidden = Case(
        name="secret name",
        visibility="hidden",
        points=Decimal("7.5"),
        dims={"rows": 31, "width": 7},
        dtype="float32",
        fills={"values": Fill(Normal(parse(0), parse(1)))},
        hint="which axis?",
    )
    return Problem(
        id="row_mean",
        title="Mean of rows",
        level="easy",
        tags=(),
        entry="row_mean",
        inputs=(TensorInput("values", rows), ScalarInput("eps", 1e-6), ScalarInput("scale")),
        outputs=(Output("mean", (parse("rows"),), ("rows",), sums_to_one="rows"),),
        returns="dict" if returns_dict else "tensor",
        tolerances={},
        limits=Limits(),
        points=Decimal(10),
        cases=(public, hidden),
        hints=(),
        traps={},
        folder=Path("problems/row_mean"),
        reference=Path("solutions/row_mean.py"),
        hash="",
    )


def printed(renderable: RenderableType, width: int = 80, **options: object) -> str:
    """What a terminal of this width shows, without colour; blanks at line ends dropped."""
    stream = StringIO()
    console = Console(
        file=stream,
        width=width,
        force_terminal=True,
        color_system=None,
        legacy_windows=False,
        **options,  # type: ignore[arg-type] # passed on as they are
    )
    console.print(renderable, crop=False)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"
