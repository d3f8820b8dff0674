"""`ggp check`: every diagnostic of a rules file, then random games in checked mode."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from ggp.cli.arguments import GameArgument, JsonOption, ParameterOption, SeedOption, parameters_from
from ggp.cli.game_texts import branching_rows, numbers_facts, phase_lines, table_lines, traits_of
from ggp.cli.rules_input import read_game
from ggp.language import typed
from ggp.language.diagnostics import Diagnostic
from ggp.language.render import render
from ggp.language.text.source import SourceFile
from ggp.model.reference.checked_play import Finding, PlayReport, play_checked
from ggp.model.traits import sees_listings

STEP_LIMIT = 10_000
"""Transitions after which a random game is cut and reported as perhaps without end."""
SHOWN_PLAY = 8
"""How many of the last transitions of a play that failed are shown."""


def check(
    game: GameArgument,
    parameters: ParameterOption = [],  # noqa: B006 - read only; typer wants a list
    games: Annotated[int, typer.Option("--games", min=0, help="Random games to play, at most.")] = 200,
    seconds: Annotated[float, typer.Option("--seconds", min=0.0, help="Time for them, at most.")] = 2.0,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Check a game: all mistakes in its rules, then what random games show.

    Exits with status 1 where there are errors.
    """
    source, checked, diagnostics = read_game(game, parameters_from(parameters))
    found = list(diagnostics)
    report = PlayReport()
    if checked is not None and games:
        deadline = time.monotonic() + seconds
        report = play_checked(checked, seed, games, STEP_LIMIT, lambda: time.monotonic() < deadline)
    if as_json:
        print(json.dumps(_facts(source, checked, found, report), indent=2))
    else:
        print("\n".join(_lines(source, checked, found, report)))
    if any(one.severity == "error" for one in found) or any(one.is_error for one in report.findings):
        raise typer.Exit(1)


def _facts(
    source: SourceFile, game: typed.Game | None, found: list[Diagnostic], report: PlayReport
) -> Mapping[str, Any]:
    """Return everything the check found as the keys that `--json` gives."""
    facts: dict[str, Any] = {
        "game": game.name if game else None,
        "errors": [dict(one.facts()) for one in found if one.severity == "error"]
        + [_finding_facts(source, one) for one in report.findings if one.is_error],
        "warnings": [dict(one.facts()) for one in found if one.severity != "error"]
        + [_finding_facts(source, one) for one in report.findings if not one.is_error],
        "traits": traits_of(game, report) if game else [],
        "games": report.games,
        "steps": report.steps,
        "finished": report.finished,
    }
    if game is None:
        return facts
    return facts | {
        "length": numbers_facts(report.lengths),
        "branching": [
            {"phase": phase, "who": who, "mean": round(numbers.mean, 6), "max": numbers.maximum}
            for phase, who, numbers in branching_rows(game, report)
        ],
        "utilities": [
            {"player": player, "low": low, "high": high, **numbers_facts(numbers)}
            for player, (low, high), numbers in zip(
                game.players.members, game.utility_bounds, report.utilities, strict=False
            )
        ],
        "symmetric": report.is_symmetric,
        "sees": [
            {
                "phase": phase.name,
                "audience": listing.audience,
                "values": list(listing.values),
                "condition": listing.condition,
                "kind": listing.kind,
            }
            for phase in game.phases
            for listing in sees_listings(game, phase)
        ],
    }


def _finding_facts(source: SourceFile, finding: Finding) -> dict[str, Any]:
    return {**_diagnostic(source, finding).facts(), "play": list(finding.play)}


def _diagnostic(source: SourceFile, finding: Finding) -> Diagnostic:
    """Return what showed in play as a diagnostic of the rules file."""
    return Diagnostic(
        "error" if finding.is_error else "warning", source.name, finding.span, finding.message, finding.hint or None
    )


def _lines(source: SourceFile, game: typed.Game | None, found: list[Diagnostic], report: PlayReport) -> Iterator[str]:
    """Yield everything the check found as lines for people."""
    for one in found:
        yield render(one, source) + "\n"
    for finding in report.findings:
        yield render(_diagnostic(source, finding), source)
        yield from _play_lines(finding)
        yield ""
    errors = sum(one.severity == "error" for one in found) + sum(one.is_error for one in report.findings)
    yield f"{source.name}: {errors or 'no'} error{'' if errors == 1 else 's'}"
    if game is None:
        return
    yield f"{game.name}: {', '.join(traits_of(game, report))}"
    yield ""
    yield from phase_lines(game)
    if not report.games:
        return
    yield ""
    yield from _play_statistics(game, report)


def _play_lines(finding: Finding) -> Iterator[str]:
    """Yield the play that led to a finding, or its end."""
    if not finding.play:
        return
    yield "    after the play"
    left_out = len(finding.play) - SHOWN_PLAY
    if left_out > 0:
        yield f"        ... {left_out} transitions ..."
    yield from (f"        {text}" for text in finding.play[-SHOWN_PLAY:])


def _play_statistics(game: typed.Game, report: PlayReport) -> Iterator[str]:
    """Yield what the random games showed as tables."""
    cut = report.games - report.finished
    ended = f"{report.finished:,} ended, {cut:,} cut short" if cut else "all ended"
    yield f"{report.games:,} random games, {ended}; {report.steps:,} transitions"
    if report.lengths.count:
        lengths = report.lengths
        yield f"length of a game: {lengths.minimum:.0f} to {lengths.maximum:.0f}, mean {lengths.mean:.1f}"
    rows = [
        (f"{phase}, {who}", f"{numbers.mean:.1f}", f"{numbers.maximum:.0f}")
        for phase, who, numbers in branching_rows(game, report)
    ]
    if rows:
        yield ""
        yield from table_lines(("choices", "mean", "most"), rows)
    if report.finished:
        yield ""
        yield from table_lines(
            ("utility", "least", "mean", "most", "proven bounds"),
            [
                (
                    name,
                    f"{seen.minimum:g}",
                    f"{seen.mean:.3g}",
                    f"{seen.maximum:g}",
                    f"{low + 0:g} to {high + 0:g}",
                )  # + 0: no minus zero
                for name, seen, (low, high) in zip(
                    game.players.members, report.utilities, game.utility_bounds, strict=True
                )
            ],
        )
