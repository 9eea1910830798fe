"""A report on a terminal: why it fails first, one failing case in full, then every case in a line.

Reads well from 40 columns up, without colour, and in ASCII. Verdicts are words beside their signs.
The last lines are the summary and the command that repeats the failure. The report is shown as it
is given: pass it through `disclosure.for_audience` first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from grader.report.cases import case_lines, full_cases, showcase
from grader.report.layout import Command, Glyphs, Hanging, glyphs, stacked
from grader.report.parts import (
    code,
    duration_text,
    findings,
    frames,
    heading,
    indented,
    printed,
    verdict_text,
)
from grader.report.text import clean, one_line, plural, points, quoted
from grader.results import Diagnosis, Isolation, Report, Verdict

WIDE = 60
"""From this many columns on the cases stand in columns."""

PATH_LIMIT = 4_096

_JUDGE_NOTE = (
    "the grader itself failed here, not the solution, and nothing is held against it; "
    "grade it again, and report it if it happens again"
)


def render(
    report: Report,
    *,
    verbose: bool = False,
    command: str = "python cli.py grade",
    options: tuple[str, ...] = (),
) -> RenderableType:
    """The whole report. `verbose`: every failing case in full, nothing shortened.

    `command` and `options` are how the user asked for it; path, seed and case are added to them.
    """
    return _Whole(report, verbose, command, options)


def repeat_words(report: Report, command: str, options: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The command that repeats this report's failure; an option and its value are one entry."""
    path = quoted(clean(report.solution, PATH_LIMIT).replace("\n", " "))
    words = [command, path, *options, f"--seed {report.seed}"]
    case = showcase(report)
    if case is not None and report.verdict is not Verdict.NOT_LOADABLE:
        words.append(f"--case {quoted(case.name)}")
    return tuple(words)


def isolation_words(isolation: Isolation) -> str:
    """What held the solution: `namespaces, landlock 6, memory by RSS, no network`."""
    walls = ["namespaces"] if isolation.namespaces else []
    walls += [f"landlock {isolation.landlock}"] if isolation.landlock else []
    walls += ["seccomp"] if isolation.seccomp else []
    memory = "memory by cgroup" if isolation.memory == "cgroup" else "memory by RSS"
    network = "no network" if isolation.network == "none" else "network open"
    return ", ".join([*(walls or ["none"]), memory, network])


@dataclass(frozen=True, slots=True)
class _Whole:
    report: Report
    verbose: bool
    command: str
    options: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        report, signs = self.report, glyphs(options)
        yield from stacked(
            [
                _header(report, signs),
                _why(report, signs, verbose=self.verbose),
                *full_cases(report, signs, verbose=self.verbose),
                case_lines(report, signs, wide=options.max_width >= WIDE),
                self._closing(signs),
            ]
        )

    def _closing(self, signs: Glyphs) -> list[RenderableType]:
        """The summary, and the command that repeats a failure."""
        report = self.report
        lines: list[RenderableType] = []
        if report.verdict is Verdict.JUDGE_ERROR:
            lines.append(Hanging(Text(), Text(_JUDGE_NOTE)))
        lines.append(_summary(report, signs))
        traps = () if report.diagnosis is None else report.diagnosis.traps
        if traps and traps[0].why:
            program, _, _ = self.command.rpartition(" ")
            asked = (f"{program} explain", quoted(report.problem), quoted(traps[0].id))
            lines.append(Command(Text("explain: "), asked))
        if report.verdict is not Verdict.ACCEPTED:
            words = repeat_words(report, self.command, self.options)
            lines.append(Command(Text("repeat: "), words))
        return lines


def _header(report: Report, signs: Glyphs) -> list[RenderableType]:
    where = [one_line(report.solution), report.device, f"seed {report.seed}"]
    lines: list[RenderableType] = [
        Hanging(Text(), Text(one_line(report.title), style="bold")),
        Hanging(Text(), Text(signs.dot.join(where))),
        Hanging(Text("isolation: "), Text(isolation_words(report.isolation))),
    ]
    if report.isolation.missing:
        missing = "; ".join(one_line(text) for text in report.isolation.missing)
        lines.append(Hanging(Text("missing: ", style="yellow"), Text(missing)))
    return lines


def _why(report: Report, signs: Glyphs, *, verbose: bool) -> list[RenderableType]:
    """The root cause: the summary, the mistakes by name, the line, what they explain; or why the
    file could not be graded at all."""
    if report.verdict is Verdict.ACCEPTED:
        return []
    diagnosis = report.diagnosis
    told = diagnosis.summary if diagnosis is not None else report.summary
    several = diagnosis is not None and len(diagnosis.traps) > 1
    lines: list[RenderableType] = [indented(told, style="bold")] if told and not several else []
    if diagnosis is not None:
        lines.extend(_traps(diagnosis, signs))
        lines.extend(indented(text) for text in [diagnosis.relation] if text)
        lines.extend(_place(report, diagnosis, signs))
        if diagnosis.traps and diagnosis.failed_cases:
            lines.append(indented(_explains(diagnosis)))
            lines.extend(indented(text) for text in [diagnosis.evidence] if text)
    lines.extend(_file_level(report, signs, told=told, verbose=verbose))
    return [heading("Why it fails"), *lines] if lines else []


def _traps(diagnosis: Diagnosis, signs: Glyphs) -> Iterator[RenderableType]:
    """Each mistake with its hint; the title of a single one is what the summary says."""
    for trap in diagnosis.traps:
        is_said = trap.title.casefold() in diagnosis.summary.casefold()
        if len(diagnosis.traps) > 1 or not is_said:
            yield Hanging(Text(f"  {signs.bullet} "), Text(one_line(trap.title), "bold"))
        for word, text in (("why: ", trap.why), ("hint: ", trap.hint)):
            if text:
                yield Hanging(Text("    ").append(word, "cyan"), Text(clean(text)))
    if diagnosis.alternatives:
        others = "; ".join(" and ".join(ids) for ids in diagnosis.alternatives)
        yield indented(f"it could as well be {others}: these cases cannot tell them apart")


def _place(report: Report, diagnosis: Diagnosis, signs: Glyphs) -> Iterator[RenderableType]:
    """The first wrong line, quoted, and how far the file is right."""
    stage = diagnosis.first_wrong_stage
    step = "" if stage is None or stage == "contract" else f'the first wrong step is "{stage}"'
    if diagnosis.line is None or (report.frames and not _is_placed(report)):
        if step and stage is not None and stage not in diagnosis.summary:
            yield indented(step)
        return
    right = diagnosis.last_right_line
    if right is not None:
        what = "" if diagnosis.right_stage is None else f": `{diagnosis.right_stage}`"
        yield indented(f"line {right} is still right{what}")
        if diagnosis.last_right_source:
            yield code(right, diagnosis.last_right_source, signs)
    where = f"{one_line(report.solution)}:{diagnosis.line}"
    wrong = f'line {diagnosis.line} is the first wrong one, in the step "{stage}"'
    yield indented(wrong if step else where)
    if diagnosis.source:
        column = report.frames[0].column if report.frames else None
        yield code(diagnosis.line, diagnosis.source, signs, column)


def _explains(diagnosis: Diagnosis) -> str:
    explained, failed = diagnosis.explained_cases, diagnosis.failed_cases
    if explained < failed:
        return f"explains {explained} of {plural(failed, 'failing case')}"
    every = {1: "the case that fails", 2: "both failing cases"}
    return f"explains {every.get(failed, f'all {failed} failing cases')}"


def _file_level(
    report: Report, signs: Glyphs, *, told: str, verbose: bool
) -> Iterator[RenderableType]:
    """What concerns the file as a whole: it does not load, its import fails, it prints."""
    yield from findings(report.findings, signs, told=told, verbose=verbose)
    if not _is_placed(report):
        yield from frames(report.frames, signs, verbose=verbose)
    if verbose or report.verdict is Verdict.NOT_LOADABLE:
        yield from printed(report.output, signs, cut=report.output_cut, verbose=verbose)


def _is_placed(report: Report) -> bool:
    """Whether the diagnosis shows the one line that the file's frames are about."""
    diagnosis = report.diagnosis
    return len(report.frames) == 1 and diagnosis is not None and diagnosis.line is not None


def _summary(report: Report, signs: Glyphs) -> RenderableType:
    verdict = verdict_text(report.verdict, signs)
    sign, words = verdict[:2], verdict[2:]
    words.append(f": {points(report.score)} of {points(report.max_score)} points", "bold")
    words.append(f"; {_counts(report)} ({duration_text(report.duration_s)})", "default")
    return Hanging(sign, words)


def _counts(report: Report) -> str:
    accepted = sum(case.verdict is Verdict.ACCEPTED for case in report.cases)
    skipped = sum(case.verdict is Verdict.SKIPPED for case in report.cases)
    text = f"{accepted} of {plural(len(report.cases), 'case')} accepted"
    return f"{text}, {skipped} skipped" if skipped else text
