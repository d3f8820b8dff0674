"""`ggp check`: all diagnostics of a rules file, then the results of random games."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ggp.check_play.finding_facts import diagnostic_facts, finding_diagnostic, finding_facts
from ggp.cli.arguments import game_argument, json_option, parameter_option, parameters_from, seed_option
from ggp.cli.game_texts import (
    SUM_TOLERANCE,
    branching_rows,
    mean_texts,
    numbers_facts,
    phase_lines,
    sees_facts,
    side_by_side,
    table_lines,
    traits_of,
)
from ggp.cli.rules_input import read_game
from ggp.competition.results import ENDLESS
from ggp.language import typed
from ggp.language.diagnostics import Diagnostic
from ggp.language.render import render
from ggp.language.text.source import SourceFile
from ggp.static_analysis.payoffs import proven_bounds

if TYPE_CHECKING:
    from ggp.check_play.examination import Examination
    from ggp.check_play.findings import Finding

SHOWN_PLAY = 8
"""How many of the last transitions of a failed play are shown."""
FEW_GAMES = 30
"""So few random games find few mistakes."""
SHOWN_KINDS = 8
"""How many kinds of moves that were never chosen are listed."""


@click.command()
@game_argument
@parameter_option
@click.option("--games", type=click.IntRange(min=0), default=100000, help="Random games to play, at most.")
@click.option("--seconds", type=click.FloatRange(min=0.0), default=2.0, help="Time for them, at most.")
@seed_option
@json_option
def check(game: str, parameters: tuple[str, ...], games: int, seconds: float, seed: int, as_json: bool) -> None:
    """Check a game: report all mistakes in its rules, then the results of random games.

    Exits with status 1 if there are errors.
    """
    source, checked, diagnostics = read_game(game, parameters_from(parameters))
    shown = None if checked is None or not games else _examined(checked, seed, games, seconds)
    findings = [] if shown is None else shown.findings
    if as_json:
        print(json.dumps(_facts(source, checked, list(diagnostics), shown), indent=2))
    else:
        print("\n".join(_lines(source, checked, list(diagnostics), shown)))
    if any(one.severity == "error" for one in diagnostics) or any(one.is_error for one in findings):
        raise click.exceptions.Exit(1)


def _examined(checked: typed.Game, seed: int, games: int, seconds: float) -> Examination:
    """Play random games: half of the time natively, the other half again in the interpreter.

    If the rules draw what each player knows, half of the second half is spent comparing that.
    """
    from ggp.cli.progress import progress_bar

    with progress_bar() as progress:
        task = progress.add_task("loading native code, compiled at first use", total=None)
        # LLVM takes a tenth of a second to import, and rules with errors do not need them
        from ggp.check_play.examination import examine, make_ready
        from ggp.rules_compiler.rules_backend import game_of_rules

        native = game_of_rules(checked).native()
        make_ready(checked, native)
        progress.update(task, description="playing random games")
        start = time.monotonic()
        return examine(
            checked,
            native,
            seed,
            games,
            ENDLESS,
            lambda: time.monotonic() < start + seconds / 2,
            lambda: time.monotonic() < start + seconds * 3 / 4,
            lambda: time.monotonic() < start + seconds,
        )


def _facts(
    source: SourceFile, game: typed.Game | None, found: list[Diagnostic], shown: Examination | None
) -> Mapping[str, Any]:
    """Return all results as `--json` prints them."""
    findings = [] if shown is None else shown.findings
    facts: dict[str, Any] = {
        "game": game.name if game else None,
        "errors": [diagnostic_facts(source, one) for one in found if one.severity == "error"]
        + [finding_facts(source, one) for one in findings if one.is_error],
        "warnings": [diagnostic_facts(source, one) for one in found if one.severity != "error"]
        + [finding_facts(source, one) for one in findings if not one.is_error],
        "traits": traits_of(game, shown) if game else [],
        "games": 0 if shown is None else shown.games,
        "steps": 0 if shown is None else shown.steps,
        "finished": 0 if shown is None else shown.finished,
    }
    if game is not None:
        facts["sees"] = sees_facts(game)
    if game is None or shown is None:
        return facts
    return facts | {
        "cut": shown.cut,
        "faulted": shown.faulted,
        "checked_games": shown.checked_games,
        "information_states": shown.information_states,
        "unreached_phases": list(shown.unreached_phases),
        "unchosen_kinds": [{"phase": phase, "kind": kind} for phase, kind in shown.unchosen_kinds],
        "length": numbers_facts(shown.lengths),
        "branching": [
            {"phase": phase, "who": who, "mean": round(numbers.mean, 6), "max": numbers.maximum}
            for phase, who, numbers in branching_rows(game, shown)
        ],
        "utilities": [
            {"player": player, "low": low, "high": high, **numbers_facts(numbers)}
            for player, (low, high), numbers in zip(
                game.players.members, proven_bounds(game), shown.utilities, strict=True
            )
        ],
        "symmetric": shown.is_symmetric,
    }


def _lines(
    source: SourceFile, game: typed.Game | None, found: list[Diagnostic], shown: Examination | None
) -> Iterator[str]:
    """Yield all results as lines of text."""
    for one in found:
        yield render(one, source) + "\n"
    findings = [] if shown is None else shown.findings
    for finding in findings:
        yield render(finding_diagnostic(source, finding), source)
        yield from _play_lines(finding)
        if finding.alike is not None:
            yield from (f"    {line}".rstrip() for line in side_by_side(finding.alike))
        yield ""
    errors = sum(one.severity == "error" for one in found) + sum(one.is_error for one in findings)
    yield f"{source.name}: {errors or 'no'} error{'' if errors == 1 else 's'}"
    if game is None:
        return
    yield f"{game.name}: {', '.join(traits_of(game, shown))}"
    yield ""
    yield from phase_lines(game)
    if shown is not None:
        yield ""
        yield from _play_statistics(game, shown)


def _play_lines(finding: Finding) -> Iterator[str]:
    """Yield the choices and draws that led to a finding, or the last of them, and the transition that shows it."""
    if not finding.play:
        return
    yield "    after the play"
    *before, last = finding.play
    chosen = [text for text in before if ": " in text]  # automatic transitions have no more than a phase
    shown = [*chosen[1 - SHOWN_PLAY :], last]
    if len(chosen) >= len(shown):
        yield f"        ... {len(chosen) + 1 - len(shown)} choices and draws ..."
    yield from (f"        {text}" for text in shown)


def _play_statistics(game: typed.Game, shown: Examination) -> Iterator[str]:
    """Yield the results of the random games as tables."""
    yield from _coverage(shown)
    if shown.lengths.count:
        lengths = shown.lengths
        mean = f", mean {lengths.mean:.1f} ± {lengths.standard_error:.2g}" if lengths.count > 1 else ""
        yield f"length of a game: {lengths.minimum:.0f} to {lengths.maximum:.0f}{mean}"
    low, high = shown.sums
    bounds = proven_bounds(game)
    same = all(numbers.minimum == numbers.maximum for numbers in shown.utilities)
    if shown.finished >= FEW_GAMES and same and any(least < most for least, most in bounds):
        yield "every game ended with the same payoffs: does it end too early, or before anything decides it?"
    if (
        len(shown.utilities) > 1
        and not shown.faulted
        and not same  # else random play says nothing
        and 0 <= high - low <= SUM_TOLERANCE
        and not any(trait.endswith("-sum") for trait in traits_of(game, shown))
    ):
        total = f"{round(low, 9) + 0:g}"
        yield f"the payoffs summed to {total} in all that ended; `payoff sum = {total}` states that they always do"
        if len(shown.utilities) == 2:
            yield "with that, `ggp solve`, `ggp exploit` and players such as `oos` take the game"
    rows = [
        (f"{phase}, {who}", f"{numbers.mean:.1f}", f"{numbers.maximum:.0f}")
        for phase, who, numbers in branching_rows(game, shown)
    ]
    if rows:
        yield ""
        yield from table_lines(("choices", "mean", "most"), rows)
    if shown.finished:
        yield ""
        yield from table_lines(
            ("utility", "least", "mean", "± standard error", "most", "proven bounds"),
            [
                (
                    name,
                    f"{seen.minimum:g}",
                    *mean_texts(seen),
                    f"{seen.maximum:g}",
                    f"{low + 0:g} to {high + 0:g}",
                )  # + 0: no minus zero
                for name, seen, (low, high) in zip(game.players.members, shown.utilities, bounds, strict=True)
            ],
        )


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _coverage(shown: Examination) -> Iterator[str]:
    """Yield how much was played, and what was never reached."""
    parts = [f"{shown.finished:,} ended" if shown.finished < shown.games else "all ended"]
    parts += [f"{shown.cut:,} cut short"] if shown.cut else []
    parts += [f"{shown.faulted:,} ended by a fault"] if shown.faulted else []
    yield f"{shown.games:,} random game{_s(shown.games)}, {', '.join(parts)}; {shown.steps:,} transitions"
    if shown.games < FEW_GAMES and not shown.faulted:
        yield "so few games tell little: `--seconds` and `--games` say how many are played"
    yield f"{shown.checked_games:,} game{_s(shown.checked_games)} played again in the interpreter"
    if shown.unchosen_kinds:
        names = [f"`{kind}` in `{phase}`" for phase, kind in shown.unchosen_kinds[:SHOWN_KINDS]]
        more = len(shown.unchosen_kinds) - len(names)
        yield f"never chosen: {', '.join(names)}{f' and {more} more' if more > 0 else ''}"
