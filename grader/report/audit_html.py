"""Audits as one HTML page that needs no other file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grader.proof import Audit
from grader.report import audit_table

_TEMPLATE = "audit.html.jinja"


def audits_html(audits: Sequence[Audit]) -> str:
    """The page. Everything that comes from a problem is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(_TEMPLATE).render(
        audits=audits,
        signs=audit_table.SIGNS,
        headings=audit_table.HEADINGS,
        least=audit_table.LEAST,
        rows=audit_table.rows,
        case_counts=audit_table.case_counts,
        error_text=audit_table.error_text,
        figures=audit_table.figures,
        survivors=audit_table.survivors,
        verdict_words=audit_table.verdict_words,
    )
