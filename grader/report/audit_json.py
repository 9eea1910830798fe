"""An audit as JSON: what programs read. `format_version` 1.

Several audits are one object with a list under `audits`. Errors are in tolerances, the least of all
seeds; null where nothing could be compared, so that all of it is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from grader.proof import Audit, Kill, Mutant, Remark

FORMAT_VERSION = 1


def audit_json(audit: Audit) -> dict[str, object]:
    """One audit as plain data."""
    return {"format_version": FORMAT_VERSION, **_audit(audit)}


def audits_json(audits: Sequence[Audit]) -> dict[str, object]:
    """Several audits as plain data."""
    return {"format_version": FORMAT_VERSION, "audits": [_audit(each) for each in audits]}


def _audit(audit: Audit) -> dict[str, object]:
    naming = audit.naming
    return {
        "problem": audit.problem,
        "problem_hash": audit.problem_hash,
        "passed": audit.passed,
        "seeds": audit.seeds,
        "remarks": [_remark(remark) for remark in audit.remarks],
        "cases": list(audit.cases),
        "traps": _kills(audit.kills),
        "trivial_answers": _kills(audit.trivial),
        "mutants": [_mutant(mutant) for mutant in audit.mutants],
        "naming": {
            "ways": naming.ways,
            "ways_named": naming.ways_named,
            "combinations": naming.combinations,
            "tried": naming.tried,
            "combinations_named": naming.combinations_named,
            "inseparable": naming.inseparable,
        },
        "largest_errors": {dtype: _error(error) for dtype, error in audit.largest_errors.items()},
        "limits": [
            {
                "resource": usage.resource,
                "used": round(usage.used, 6),
                "limit": round(usage.limit, 6),
                "unit": usage.unit,
            }
            for usage in audit.usage
        ],
        "timings": {check: round(seconds, 6) for check, seconds in audit.timings.items()},
        "versions": dict(audit.versions),
        "duration_s": round(audit.duration_s, 6),
    }


def _remark(remark: Remark) -> dict[str, str]:
    return {
        "check": remark.check,
        "weight": remark.weight.value,
        "message": remark.message,
        "help": remark.help,
    }


def _kills(kills: Iterable[Kill]) -> list[dict[str, object]]:
    return [
        {
            "row": kill.row,
            "trap": kill.trap or None,
            "kind": kill.kind,
            "errors": {name: _error(error) for name, error in kill.cases.items()},
        }
        for kill in kills
    ]


def _error(error: float) -> float | None:
    """To six digits."""
    return None if math.isinf(error) else float(f"{error:.6g}")


def _mutant(mutant: Mutant) -> dict[str, object]:
    return {
        "id": mutant.id,
        "line": mutant.line,
        "operator": mutant.operator,
        "diff": mutant.diff,
        "killed_by": mutant.killed_by,
        "declared": mutant.declared or None,
    }
