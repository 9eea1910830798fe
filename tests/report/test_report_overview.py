"""A problem in facts."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

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
from grader.report.overview import render_overview
from tests.report.report_samples import printed


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


def test_signature_arguments_results_and_public_cases_are_shown() -> None:
    """All that a learner needs of the spec, whole."""
    assert printed(render_overview(problem(returns_dict=True))) == (
        "Signature\n"
        "  row_mean(values, eps=1e-06, scale)\n"
        "\n"
        "Arguments\n"
        "  values  [rows, width]\n"
        "  eps     number, default 1e-06\n"
        "  scale   number\n"
        "\n"
        "Returns\n"
        "  a dict with exactly these keys\n"
        "  mean  [rows], sums to one over rows\n"
        "\n"
        "Public cases\n"
        "  by hand\n"
        "    2.5 points; float64; rows 2, width 1; gradients of values\n"
        "    values = [[sqrt(2)], [1]]\n"
        "    eps = 1e-12\n"
        "    expected mean = [0.5, 0.333333]\n"
        "\n"
        "2 cases, 1 of them hidden; 10 points\n"
    )


def test_hidden_cases_are_only_counted() -> None:
    """Neither names nor sizes of hidden cases are shown."""
    text = printed(render_overview(problem(returns_dict=True)))
    assert "secret" not in text
    assert "31" not in text


def test_a_single_tensor_is_said_so() -> None:
    """A problem that returns a tensor has no keys."""
    text = printed(render_overview(problem(returns_dict=False)))
    assert "a tensor [rows], sums to one over rows" in text
