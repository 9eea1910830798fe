"""Cases with the spec's `defaults` filled in, and for each setting where the file says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grader.problem.mistakes import Mistakes
from grader.problem.schema import CaseFile, ProblemFile, SettingsFile
from grader.problem.yaml12 import Document, KeyPath

BY_NAME = ("dims", "inputs", "layout")
"""Settings that are merged name by name; the case's word replaces any other default whole."""


@dataclass(frozen=True, slots=True)
class MergedCase:
    """A case whose `settings` are complete; `index` is its place in the file."""

    index: int
    settings: CaseFile
    document: Document

    @property
    def name(self) -> str:
        return self.settings.name

    def path(self, *keys: str | int) -> KeyPath:
        """Return where a setting was said: in the case, in the defaults, else the case itself."""
        depth = 2 if keys and keys[0] in BY_NAME else 1
        for origin in (("cases", self.index), ("defaults",)):
            if self.document.has((*origin, *keys[:depth])):
                return (*origin, *keys)
        return ("cases", self.index)

    def has_gap(self, mistakes: Mistakes, *keys: str) -> bool:
        """Whether a setting may be absent only because it was wrong in its form."""
        return mistakes.touched("cases", self.index, *keys) or mistakes.touched("defaults", *keys)


def merge(spec: ProblemFile, document: Document) -> tuple[MergedCase, ...]:
    """Return the cases of a spec, each with the defaults it does not override."""
    return tuple(
        MergedCase(index, _merged(case, spec.defaults), document)
        for index, case in enumerate(spec.cases)
    )


def _merged(case: CaseFile, defaults: SettingsFile) -> CaseFile:
    settings: dict[str, Any] = {"name": case.name}
    for field in SettingsFile.model_fields:
        own = getattr(case, field)
        if field in BY_NAME:
            settings[field] = {**getattr(defaults, field), **own}
        else:
            settings[field] = own if field in case.model_fields_set else getattr(defaults, field)
    return CaseFile.model_construct(**settings)
