"""Diagnostics, and what play showed, as the keys that `ggp check --json` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ggp.language.diagnostics import Diagnostic
from ggp.language.fixes import fixes
from ggp.language.text.source import SourceFile

if TYPE_CHECKING:
    from ggp.check_play.findings import Finding


def diagnostic_facts(source: SourceFile, one: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic as the keys that `ggp check --json` gives."""
    return {**one.facts(), "edits": [fix.facts() for fix in fixes(one, source)]}


def finding_facts(source: SourceFile, finding: Finding) -> dict[str, Any]:
    """Return what play showed as the keys that `ggp check --json` gives."""
    shown = diagnostic_facts(source, finding_diagnostic(source, finding))
    facts: dict[str, Any] = {**shown, "code": finding.kind, "kind": finding.kind, "play": list(finding.play)}
    if finding.alike is not None:
        alike = finding.alike
        facts["alike"] = {
            "player": alike.player,
            "plays": [list(play) for play in alike.plays],
            "known": list(alike.known),
            "choices": [list(choices) for choices in alike.choices],
        } | ({} if alike.shown is None else {"shown": [list(lines) for lines in alike.shown]})
    return facts


def finding_diagnostic(source: SourceFile, finding: Finding) -> Diagnostic:
    """Return a finding in play as a diagnostic of the rules file."""
    return Diagnostic(
        "error" if finding.is_error else "warning", source.name, finding.span, finding.message, finding.hint or None
    )
