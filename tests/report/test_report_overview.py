"""A problem in facts."""

from __future__ import annotations

from grader.report.overview import render_overview
from tests.report.report_samples import printed, problem


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
