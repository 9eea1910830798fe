# ruff: noqa: RUF001 - the minus sign and its like are what is tested
"""Formulas as readable Unicode."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.tex import to_unicode


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"\alpha_i = \frac{e^{\ell_i}}{\sum_j e^{\ell_j}}", "αᵢ = e^(ℓᵢ) / (∑ⱼ e^(ℓⱼ))"),
        (
            r"k_i = \frac{v_i}{\sqrt{\frac{1}{D}\sum_{d=1}^{D} v_{i,d}^2 + \epsilon}}",
            "kᵢ = vᵢ / √((1/D) ∑_(d=1…D) v_(i,d)² + ε)",
        ),
        (r"h = \sum_{i=0}^{L}\alpha_i v_i", "h = ∑ᵢ₌₀ᴸ αᵢ vᵢ"),
        (r"v \in \mathbb{R}^{L \times B \times T \times D}", "v ∈ ℝ^(L×B×T×D)"),
        (r"\operatorname{softmax}_i(w \cdot k_i)", "softmaxᵢ(w · kᵢ)"),
        (r"\mathbf{w}^\top \mathbf{k}_i", "wᵀ kᵢ"),
        (r"10^{-6} \le |x| \ne 250", "10⁻⁶ ≤ |x| ≠ 250"),
        (r"\left(\frac{a}{b}\right)^{2}", "(a/b)²"),
        (r"\frac{a}{b}^2 + \tfrac12", "(a/b)² + 1/2"),
        (r"\sum_i (a_i - b)^2", "∑ᵢ (aᵢ − b)²"),
        (r"M = \max(m, \ell)", "M = max(m, ℓ)"),
        (r"-x + -1 \cdot (-y)", "−x + −1 · (−y)"),
        (r"W_{source} \text{ if } x_{L+1}", "W_source  if  x_(L+1)"),
        (r"\lVert x \rVert_2, \lceil L/s \rceil", "‖x‖₂, ⌈L/s⌉"),
        (r"\frac{\partial L}{\partial w}", "∂L/∂w"),
        (r"\hat{y} \to \mathcal{L}(\theta)", "y\u0302 → ℒ(θ)"),
        (r"\sqrt[3]{x} \sqrt{D}", "³√x √D"),
        (r"V = [e, f_1, \dots, f_L]", "V = [e, f₁, …, f_L]"),
        (r"\{a\}\,b~c 5\%", "{a} b c 5%"),
        (r"\unknown{x} \underbrace{y}_{z}", "unknownx y_z"),
    ],
)
def test_formulas_read_as_printed(tex: str, shown: str) -> None:
    """The notation that statements use."""
    assert to_unicode(tex) == shown


def test_cases_and_aligned_formulas_keep_their_rows() -> None:
    """A row a line; the cells of a table stand apart."""
    cases = r"\begin{cases} 1 & x>0 \\ 0 & \text{else} \end{cases}"
    assert to_unicode(cases) == "{ 1   x > 0\n{ 0   else"
    aligned = r"\begin{aligned} k &= v \\ \ell &= w k \end{aligned}"
    assert to_unicode(aligned) == "k = v\nℓ = w k"


@pytest.mark.parametrize(
    "tex", ["a^{", r"}\frac{", r"\frac", r"\begin{cases}", "{" * 4000, "$", "_"]
)
def test_broken_formulas_are_shown_somehow(tex: str) -> None:
    """A slip in a statement must not keep it from being read."""
    assert isinstance(to_unicode(tex), str)


@given(st.text(alphabet="abx12+-^_{}\\ frac sqrt&$%", max_size=40))
def test_no_formula_is_an_error(tex: str) -> None:
    """Whatever is between two dollars becomes text."""
    assert isinstance(to_unicode(tex), str)
