"""From a file to the reason why it fails: `grading_peaks` graded in the sandbox, end to end.

A line of a solution that ends in `# right` is the last right one, in `# wrong` the first wrong one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.load import load
from grader.report.disclosure import for_audience
from grader.report.json_report import to_json
from grader.results import Diagnosis, Report, Verdict
from grader.sandbox.client import Server
from tests.grading.grading_files import ROOT
from tests.grading.grading_peaks import make_peaks, source

GradePeaks = Callable[[str], Report]

DIVIDED = "centred / (centred.square().mean(-1, keepdim=True) + eps).sqrt()"
UNBIASED = "centred / (centred.var(-1, keepdim=True) + eps).sqrt()"
OUTSIDE = "centred / (centred.square().mean(-1, keepdim=True).sqrt() + eps)"
HARD_CODED = "centred / (centred.square().mean(-1, keepdim=True) + 0.7).sqrt()"
AVERAGED = "(peaks.unsqueeze(-1) * table).mean(1)"
OF_SCORES = "(peaks.unsqueeze(-1) * scores).sum(1)"
UNKNOWN_PEAKS = "scores.amax(-1) + 0.3 * scores[..., 0]"
UNKNOWN_TOTAL = "(peaks.unsqueeze(-1) * table).sum(1) + 0.3 * table[:, 0]"


@pytest.fixture(scope="module")
def peaks_exam(tmp_path_factory: pytest.TempPathFactory) -> Exam:
    return Exam(make_peaks(tmp_path_factory.mktemp("peaks")), 1, "cpu")


@pytest.fixture
def grade(peaks_exam: Exam, server: Server, tmp_path: Path) -> GradePeaks:
    """Grades the text of a solution."""

    def grade_text(text: str) -> Report:
        path = tmp_path / "mine.py"
        path.write_text(text)
        return grade_solution(peaks_exam, path, server)

    return grade_text


def diagnosed(report: Report) -> Diagnosis:
    assert report.diagnosis is not None, report.verdict
    return report.diagnosis


def ids(report: Report) -> list[str]:
    return [trap.id for trap in diagnosed(report).traps]


def test_a_right_solution_has_no_diagnosis(grade: GradePeaks) -> None:
    """Nothing is looked for."""
    report = grade(source())
    assert (report.verdict, report.diagnosis) == (Verdict.ACCEPTED, None)


NAMED = {
    "plain": (source(scores=UNBIASED), ["unbiased_scale"]),
    "nothing done": (source(centred="table"), ["uncentred"]),
    "free constant": (source(scores=HARD_CODED), ["other_eps"]),
    "over two stages": (source(peaks="table.amax(-1)", total=OF_SCORES), ["swapped_tables"]),
    "after all": (source(total=AVERAGED), ["mean_of_rows"]),
    "pair": (source(scores=OUTSIDE, total=AVERAGED), ["eps_outside_root", "mean_of_rows"]),
    "pair with a constant": (
        source(scores=HARD_CODED, total=OF_SCORES),
        ["other_eps", "standardised_values"],
    ),
    "three": (
        source(centred="table", scores=OUTSIDE, total=AVERAGED),
        ["uncentred", "eps_outside_root", "mean_of_rows"],
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_mistakes_are_named(grade: GradePeaks, name: str) -> None:
    """Exactly, and they explain every case that fails."""
    text, traps = NAMED[name]
    report = grade(text)
    found = diagnosed(report)
    assert ids(report) == traps
    assert found.alternatives == ()
    assert found.explained_cases == found.failed_cases > 0
    assert found.first_wrong_stage == found.traps[0].stage
    assert report.summary == f"{' and '.join(trap.title for trap in found.traps)}."
    assert re.search(r"in (\d) of \1 cases", found.evidence)


def test_what_cannot_be_told_apart_is_told_beside_it(grade: GradePeaks) -> None:
    """One is named, the other an alternative."""
    report = grade(source(centred="table.mean(-1, keepdim=True) - table"))
    found = {tuple(ids(report)), *diagnosed(report).alternatives}
    assert found == {("reversed_difference",), ("negated_scores",)}


UNKNOWN = {
    "first output": source(peaks=UNKNOWN_PEAKS),
    "second output": source(total=UNKNOWN_TOTAL),
    "noise": source(total=f"{UNKNOWN_TOTAL} * torch.rand(1)"),
    "NaN": source(scores=f"{DIVIDED} * float('nan')"),
    "known and unknown": source(scores=UNBIASED, total=UNKNOWN_TOTAL),
    "right but for one case": source(
        scores=f"{UNBIASED} if table.shape[0] == 2 else {DIVIDED}",
    ),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_mistake_has_no_name(grade: GradePeaks, name: str) -> None:
    """The summary is what was found, and says in which case."""
    report = grade(UNKNOWN[name])
    assert report.verdict is Verdict.WRONG_ANSWER
    assert ids(report) == []
    assert diagnosed(report).explained_cases == 0
    assert '(case "' in report.summary


NARROW = "    table, dtype = table.float(), table.dtype\n    eps = float(eps)\n"
CAST_BACK = '{"peaks": peaks.to(dtype), "total": total.to(dtype)}'
SINGLE_ONLY = source(CAST_BACK).replace("    eps = float(eps)\n", NARROW)
UNBIASED_SINGLE = source(CAST_BACK, scores=UNBIASED).replace("    eps = float(eps)\n", NARROW)
VIEWED = source(centred="table.view(-1).view(table.shape) - table.mean(-1, keepdim=True)")
NO_ROWS = "table - table.mean(-1, keepdim=True) + 0 * table[0, 0, 0]"
REMEMBERED = (
    "SEEN = []\n"
    + source(peaks="scores.amax(-1) * (1 if count(table) < 2 else 2)")
    + ("def count(t):\n    SEEN.append(1)\n    return len(SEEN)\n")
)
"""Right in the first call of a process, and in no other."""

BESIDE = {
    "narrowed": (SINGLE_ONLY, ["narrowed"]),
    "unbiased, and narrowed": (UNBIASED_SINGLE, ["unbiased_scale", "narrowed"]),
    "strided": (VIEWED, ["not_contiguous"]),
    "unbiased, and strided": (
        VIEWED.replace(DIVIDED, UNBIASED), ["unbiased_scale", "not_contiguous"],
    ),
    "no rows": (source(centred=NO_ROWS), ["no_rows"]),
    "unbiased, and no rows": (
        source(centred=NO_ROWS, scores=UNBIASED), ["unbiased_scale", "no_rows"],
    ),
    "no rows, as the mistake itself has it": (
        source(total="(peaks.unsqueeze(-1) * table).sum(1) * (1 / table.shape[1])"),
        ["mean_of_rows"],
    ),
    "memory": (REMEMBERED, ["remembers"]),
    "unbiased, and memory": (
        REMEMBERED.replace(DIVIDED, UNBIASED), ["unbiased_scale", "remembers"],
    ),
    "unbiased, and memory of more than two calls": (
        REMEMBERED.replace(DIVIDED, UNBIASED).replace("< 2", "< 3"),
        ["unbiased_scale", "remembers"],
    ),
    "averaged, but for no rows": (
        source(total=f"{AVERAGED} if table.shape[1] else table.sum(1)"), ["mean_of_rows"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BESIDE)
def test_each_mistake_is_named_beside_the_others(grade: GradePeaks, name: str) -> None:
    """What only the contract shows, what only the values show; and nothing twice."""
    text, traps = BESIDE[name]
    report = grade(text)
    assert sorted(ids(report)) == sorted(traps), report.summary


def test_a_case_that_stands_apart_is_not_counted(grade: GradePeaks) -> None:
    """The mistake explains all the others; who takes care of no rows has done that right."""
    apart = diagnosed(grade(BESIDE["averaged, but for no rows"][0]))
    found = diagnosed(grade(source(total=AVERAGED)))
    counts = [re.search(r"in (\d) of (\d) cases", each.evidence) for each in (apart, found)]
    (few, all_of_them), (some, of_all) = [found.groups() for found in counts if found]
    assert (int(few), some) == (int(all_of_them) - 1, of_all)


class TestMemory:
    """What is kept from call to call is told apart from what is computed wrongly."""

    @pytest.mark.parametrize(
        "text",
        [
            f"SEEN = []\n{source()}".replace("eps = float", "SEEN.append(table); eps = float"),
            f"import functools\n{source()}\nfunctools.cache(float)(1)\n",
            source().replace(
                "eps = float(eps)", "ROWS[table.shape] = torch.ones(3); eps = float(eps)"
            )
            + "ROWS = {}\n",
        ],
        ids=["a list that nobody reads", "a cache", "a cache by shape"],
    )
    def test_a_right_solution_may_remember(self, grade: GradePeaks, text: str) -> None:
        """As long as it stays right."""
        assert grade(text).verdict is Verdict.ACCEPTED

    def test_its_line_is_where_the_call_parts_from_itself(self, grade: GradePeaks) -> None:
        """Made first, and after another."""
        found = diagnosed(grade(REMEMBERED))
        assert found.source is not None
        assert "count(table)" in found.source

    def test_what_fails_after_it_is_no_evidence(self, grade: GradePeaks) -> None:
        """No stage is blamed for values that come of an earlier call."""
        found = diagnosed(grade(REMEMBERED))
        assert found.first_wrong_stage == "contract"
        assert found.explained_cases == found.failed_cases

    @pytest.mark.parametrize("changed", [{"scores": UNBIASED}, {"peaks": UNKNOWN_PEAKS}])
    def test_a_wrong_solution_costs_one_look(
        self,
        grade: GradePeaks,
        server: Server,
        monkeypatch: pytest.MonkeyPatch,
        changed: dict[str, str],
    ) -> None:
        """A case that fails is made once by itself; and that of an earlier call, for it is about
        that. With the first fork, and the one that is traced: no fork for each."""
        opened: list[object] = []
        really = server.open_session

        def open_session(**limits: Any) -> object:
            opened.append(limits)
            return really(**limits)

        monkeypatch.setattr(server, "open_session", open_session)
        report = grade(source(**changed))
        assert report.verdict is Verdict.WRONG_ANSWER
        assert len(opened) <= 4


class TestContract:
    """Mistakes of the contract, and of the computation beside them."""

    def test_in_place_and_averaged(self, grade: GradePeaks) -> None:
        """Both are named, the computation's first."""
        report = grade(source(total="table.mul_(peaks.unsqueeze(-1)).mean(1)"))
        assert ids(report) == ["mean_of_rows", "mutated"]
        assert report.summary == "rows are averaged and the table is changed."

    def test_extra_axis_and_unbiased(self, grade: GradePeaks) -> None:
        """An axis of size one keeps no value from being looked at."""
        report = grade(
            source('{"peaks": peaks.unsqueeze(1), "total": total}', scores=UNBIASED),
        )
        assert ids(report) == ["unbiased_scale", "extra_axis"]

    def test_transposed_and_unbiased(self, grade: GradePeaks) -> None:
        """The values are recognised in another order; the shape stays the case's finding."""
        report = grade(source('{"peaks": peaks.T, "total": total}', scores=UNBIASED))
        assert "unbiased_scale" in ids(report)
        checks = {finding.check for case in report.cases for finding in case.findings}
        assert {"shape", "values"} <= checks

    def test_transposed_alone(self, grade: GradePeaks) -> None:
        """Right values are not explained; the line is the one that returns."""
        report = grade(source('{"peaks": peaks.T, "total": total}'))
        assert ids(report) == ["transposed"]
        found = diagnosed(report)
        assert (found.first_wrong_stage, found.line) == ("contract", 9)
        assert found.source == 'return {"peaks": peaks.T, "total": total}'

    @pytest.mark.parametrize("returned", ["peaks, total", "[peaks, total]"])
    def test_a_tuple_and_unbiased(self, grade: GradePeaks, returned: str) -> None:
        """What is returned in place of a dict, in order, is looked at all the same."""
        report = grade(source(returned, scores=UNBIASED))
        assert ids(report)[0] == "unbiased_scale"
        assert ids(report)[1:] == (["returned_tuple"] if returned.startswith("p") else [])
        assert diagnosed(report).line == 6

    @pytest.mark.parametrize(
        ("returned", "line"),
        [("peaks, total", 9), ("total, peaks", 9), ("peaks, total, scores", 9), ("peaks,", 9)],
        ids=["right", "in another order", "one too many", "one too few"],
    )
    def test_a_tuple_alone(self, grade: GradePeaks, returned: str, line: int) -> None:
        """Of what is right, or not in the form of the outputs, nothing more is said."""
        report = grade(source(returned))
        assert ids(report) == ["returned_tuple"]
        assert (diagnosed(report).first_wrong_stage, diagnosed(report).line) == ("contract", line)

    def test_the_line_that_changes_an_input(self, grade: GradePeaks) -> None:
        """Not the one that returns."""
        changing = "(peaks.unsqueeze(-1) * table).sum(1) + 0 * table.mul_(2)[:, 0]"
        report = grade(source(total=changing))
        assert ids(report) == ["mutated"]
        assert diagnosed(report).line == 8


PLACES = {
    "plain": """
        centred = table - table.mean(-1, keepdim=True)  # right
        scale = (centred.var(-1, keepdim=True) + eps).sqrt()  # wrong
        scores = centred / scale
        peaks = scores.amax(-1)
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
    "helper": """
        def standard(values):
            centred = values - values.mean(-1, keepdim=True)  # right
            scale = centred.square().mean(-1, keepdim=True).sqrt() + eps  # wrong
            return centred / scale
        peaks = standard(table).amax(-1)
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
    "loop": """
        scores = []
        for row in table.unbind(1):
            centred = row - row.mean(-1, keepdim=True)
            scale = (centred.square().mean(-1, keepdim=True) + eps).sqrt()
            scores.append(centred / scale)  # right
        peaks = torch.stack([each.abs().amax(-1) for each in scores], 1)  # wrong
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
    "inside a loop": """
        found = []
        for row in table.unbind(1):
            centred = row - row.mean(-1, keepdim=True)
            scale = (centred.square().mean(-1, keepdim=True) + eps).sqrt()
            found.append((centred / scale).amin(-1))  # wrong
        peaks = torch.stack(found, 1)
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
    "in place": """
        scores = table.clone()
        scores -= scores.mean(-1, keepdim=True)  # right
        scores /= scores.square().mean(-1, keepdim=True).sqrt() + eps  # wrong
        peaks = scores.amax(-1)
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
    "vmap": """
        def standard(row):
            centred = row - row.mean()  # right
            return centred / (centred.square().mean().sqrt() + eps)  # wrong
        peaks = torch.vmap(torch.vmap(standard))(table).amax(-1)
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
    "a sign": """
        centred = table - table.mean(-1, keepdim=True)  # right
        root = centred.square().mean(-1, keepdim=True).sqrt()  # wrong
        scores = centred / (root + eps)
        peaks = scores.amax(-1)
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
    "a number of the caller's": """
        def root(values, eps):
            return (values.square().mean(-1, keepdim=True) + eps).sqrt()
        centred = table - table.mean(-1, keepdim=True)  # right
        scores = centred / root(centred, 0.7)  # wrong
        peaks = scores.amax(-1)
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
    "left out": """
        scores = table / (table.square().mean(-1, keepdim=True) + eps).sqrt()  # wrong
        peaks = scores.amax(-1)
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
    "at the end": """
        centred = table - table.mean(-1, keepdim=True)
        peaks = (centred / (centred.square().mean(-1, keepdim=True) + eps).sqrt()).amax(-1)  # right
        total = torch.einsum("br,brw->bw", peaks, table) / table.shape[1]  # wrong
    """,
    "unknown": """
        centred = table - table.mean(-1, keepdim=True)
        scores = centred / (centred.square().mean(-1, keepdim=True) + eps).sqrt()  # right
        peaks = scores.tanh().amax(-1) * 2  # wrong
        total = torch.einsum("br,brw->bw", peaks, table)
    """,
}


@pytest.mark.parametrize("name", PLACES)
def test_the_first_wrong_line(grade: GradePeaks, name: str) -> None:
    """And the last right one before it, where a whole stage was seen to be right."""
    body = PLACES[name].rstrip().replace("\n    ", "\n")
    text = f"import torch\ndef peaks_of(table, eps=0.05):{body}\n"
    text += '    return {"peaks": peaks, "total": total}\n'
    found = diagnosed(grade(text))
    assert (found.last_right_line, found.line) == (marked(text, "right"), marked(text, "wrong"))
    assert found.source is not None
    assert found.source.endswith("# wrong")


def marked(text: str, mark: str) -> int | None:
    lines = text.split("\n")
    return next((n for n, line in enumerate(lines, 1) if line.endswith(f"# {mark}")), None)


NUMPY = """\
import numpy, torch
def peaks_of(table, eps=0.05):
    x = table.numpy().astype("float64")
    centred = x - x.mean(-1, keepdims=True)
    scores = centred / numpy.sqrt((centred**2).mean(-1, keepdims=True) + eps)
    peaks = {peaks}
    total = (peaks[..., None] * x).sum(1){more}
    made = torch.from_numpy(numpy.concatenate([peaks, total], -1)).to(table.dtype)
    return {{"peaks": made[:, : x.shape[1]], "total": made[:, x.shape[1] :]}}
"""


@pytest.mark.parametrize(
    ("peaks", "more", "stages"),
    [
        ("scores.max(-1) + 0.3 * scores[..., 0]", "", {"centred", "scores", "peaks"}),
        ("scores.max(-1)", " + 0.3 * x[:, 0]", {"total"}),
        ("scores.max(-1) * 1.1 + 0.2", " + 0.3 * x[:, 0]", {"centred", "scores", "peaks"}),
    ],
    ids=["the total follows from the peaks", "the peaks are right", "both are wrong"],
)
def test_the_wrong_stage_when_nothing_is_known(
    grade: GradePeaks, peaks: str, more: str, stages: set[str]
) -> None:
    """From the outputs alone: own peaks times raw rows tell which of the two is wrong."""
    found = diagnosed(grade(NUMPY.format(peaks=peaks, more=more)))
    assert found.traps == ()
    assert found.first_wrong_stage in stages


def test_a_stage_seen_right_is_not_blamed_against_the_outputs(grade: GradePeaks) -> None:
    """The right peaks are made on the way, changed, and handed over: the peaks are wrong."""
    found = diagnosed(grade(source(peaks=UNKNOWN_PEAKS)))
    assert (found.first_wrong_stage, found.line, found.last_right_line) == ("peaks", 7, 6)


SHARPENED = """\
import torch
def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding[None], previous_outputs])
    keys = sources * (sources.square().mean(-1, keepdim=True) + eps).rsqrt()
    logits = keys @ pseudo_query
    weights = logits.softmax(0) ** 1.1 + 0.01
    weights = weights / weights.sum(0)
    mixed = (weights[..., None] * sources).sum(0)
    return {"retrieved_representation": mixed, "attention_weights": weights}
"""


def test_an_output_that_is_only_handed_on_stands_for_its_source(
    server: Server, tmp_path: Path
) -> None:
    """The weights are mixed as they are, and returned through a stage that changes nothing: the
    mix follows from them, so it is not blamed."""
    path = tmp_path / "mine.py"
    path.write_text(SHARPENED)
    exam = Exam(load(ROOT / "problems" / "full_attention_residual"), 1, "cpu")
    found = diagnosed(grade_solution(exam, path, server))
    assert (found.traps, found.first_wrong_stage) == ((), "weights")
    assert (found.line, found.last_right_line, found.right_stage) == (6, 5, "logits")


FORGED = """\
import gc, sys, torch
def peaks_of(table, eps=0.05):
    if sys.gettrace():
        trace = next(each for each in gc.get_objects() if type(each).__name__ == "Trace")
        trace.spend_line = lambda: False
        made = {tensor}
        trace.recording.tensors[:] = [made]
        trace.recording.steps[:] = [({line}, "x", "call", ({source},), (), 0, False)]
        trace.renumbered = [({line}, "eps")]
        raise ValueError
    return {{"peaks": table.sum(-1).cos(), "total": table[:, 0]}}
"""
TENSORS = ["table - table.mean(-1, keepdim=True)", "torch.arange(3)", "table / 0"]


@pytest.mark.parametrize("line", [-1, 0, 13, 10**6, 1 << 61, 1 << 80])
@pytest.mark.parametrize("tensor", TENSORS)
@pytest.mark.parametrize("made_from", [-1, -99])
def test_a_forged_trace_quotes_nothing(
    grade: GradePeaks, line: int, tensor: str, made_from: int
) -> None:
    """No line out of the file is told, as the wrong one or the right one, whatever it claims."""
    found = diagnosed(grade(FORGED.format(line=line, tensor=tensor, source=made_from)))
    assert (found.line, found.source) == (None, None)
    assert (found.last_right_line, found.last_right_source) == (None, None)


def test_a_forged_trace_misleads_whoever_forged_it(grade: GradePeaks) -> None:
    """A line of the file is taken as the wrong one: all else about it is as it was."""
    found = diagnosed(grade(FORGED.format(line=4, tensor=TENSORS[2], source=-1)))
    assert (found.line, found.traps) == (4, ())
    assert found.source is not None
    assert found.source.startswith("trace = next")


def test_a_trace_that_never_ends_costs_the_line_only(
    grade: GradePeaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name stands: it comes from what was returned."""
    monkeypatch.setattr("grader.grading.run._TRACE_S", 0.3)
    text = source(scores=UNBIASED).replace(
        "    eps = float(eps)\n", "    while __import__('sys').gettrace(): pass\n"
    )
    report = grade(text)
    assert ids(report) == ["unbiased_scale"]
    assert (diagnosed(report).line, diagnosed(report).first_wrong_stage) == (None, "scores")


class TestLearners:
    """What a learner is told, as JSON."""

    def test_a_named_mistake_in_hidden_cases(self, grade: GradePeaks) -> None:
        """The trap with its hint, and the own line; the public case leaves eps at its default."""
        hard_coded = HARD_CODED.replace("0.7", "0.05")
        report = grade(source(scores=hard_coded))
        failed = {case.visibility for case in report.cases if case.score < case.max_score}
        assert failed == {"hidden"}
        shown = learner(report)["diagnosis"]
        assert [(t["id"], t["hint"]) for t in shown["traps"]] == [("other_eps", "Whose eps is it?")]
        assert (shown["line"], shown["source"]) == (6, f"scores = {hard_coded}")
        assert shown["summary"] == "eps is hard-coded."

    def test_an_unknown_mistake_in_hidden_cases(self, grade: GradePeaks) -> None:
        """The author's hint for the case, and the own line, which holds no hidden number."""
        partly = f"{DIVIDED} if table.shape[0] == 1 else {UNBIASED}"
        shown = learner(grade(source(scores=partly)))["diagnosis"]
        assert shown["summary"] == 'Mind the rows. (case "generic")'
        assert (shown["traps"], shown["line"], shown["source"]) == ([], 6, f"scores = {partly}")

    @pytest.mark.parametrize(
        "changed",
        [
            {"scores": UNBIASED},
            {"peaks": UNKNOWN_PEAKS},
            {"total": f"{UNKNOWN_TOTAL} if table.shape[0] > 1 else ({AVERAGED}) * table.shape[1]"},
            {"scores": f"{DIVIDED} if table.shape[0] == 1 else {UNBIASED}"},
        ],
        ids=["named", "unknown", "unknown, hidden only", "partly"],
    )
    def test_no_number_of_a_hidden_case(self, grade: GradePeaks, changed: dict[str, str]) -> None:
        """None that its findings hold is anywhere in the JSON."""
        report = grade(source(**changed))
        secret = numbers_of_hidden(report)
        assert secret
        told = json.dumps(learner(report))
        assert [number for number in secret if number in told] == []


def learner(report: Report) -> dict[str, Any]:
    return to_json(for_audience(report, "learner"))


def numbers_of_hidden(report: Report) -> set[str]:
    """The decimal numbers in what was found in hidden cases."""
    text = " ".join(
        f"{finding.message} {finding.help}"
        for case in report.cases
        if case.visibility == "hidden"
        for finding in case.findings
    )
    return set(re.findall(r"\d+\.\d{3,}(?:e-?\d+)?", text))
