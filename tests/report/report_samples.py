"""Hand-made reports that the tests of the writers share."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from io import StringIO

from rich.console import Console, RenderableType

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
            traps=(TRAP,),
            summary="the embedding is not among the sources",
            failed_cases=2,
            explained_cases=2,
            first_wrong_stage="sources",
            line=5,
            source="    sources = previous_outputs",
            last_right_line=4,
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
