"""Games as text for terminals: phases with actors and observations, findings of checked play, drawn states."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from ggp.check_play.running_statistics import RunningStatistics, all_of
from ggp.language import typed
from ggp.language.typed.types import column_letters
from ggp.scene.terminal import Drawing, DrawnCell, labelled
from ggp.static_analysis.payoffs import known_sum
from ggp.static_analysis.traits import sees_listings, source_of, static_traits

if TYPE_CHECKING:
    from rich.text import Text

    from ggp.check_play.examination import Examination
    from ggp.check_play.findings import Alike

SUM_TOLERANCE = 1e-9
SHOWN_TRANSITIONS = 12
"""Transitions shown of each of two plays."""
SHOWN_CHOICES = 12
COLORS = {"gray": "bright_black", "grey": "bright_black", "orange": "dark_orange", "brown": "orange4", "pink": "pink1"}
"""Colours in rules files that have another name in terminals."""


def traits_of(game: typed.Game, shown: Examination | None = None) -> list[str]:
    """Return a game's traits: those that follow from its rules, and those proven by random play."""
    traits = [f"{len(game.players.members)} player" + ("s" if len(game.players.members) > 1 else "")]
    traits += static_traits(game)
    if len(game.players.members) > 1:
        total = known_sum(game)
        if total is not None:
            traits.append("zero-sum" if abs(total) < SUM_TOLERANCE else "constant-sum")
        elif shown is not None and shown.sums[1] - shown.sums[0] > SUM_TOLERANCE:
            traits.append("general-sum")
    if shown is not None and shown.is_symmetric:
        traits.append("symmetric")
    return traits


def phases_as_written(game: typed.Game) -> list[list[typed.Phase]]:
    """Return the phases, each with those that draw the rest of what is too much for one transition."""
    written: list[list[typed.Phase]] = []
    for phase in game.phases:
        if phase.follows:
            written[-1].append(phase)
        else:
            written.append([phase])
    return written


def phase_lines(game: typed.Game) -> Iterator[str]:
    """Yield lines with the choices of each phase, as the rules may have them, and what is told."""
    for parts in phases_as_written(game):
        phase = parts[0]
        yield f"phase {phase.name}"
        if phase.chance is not None and phase.chance.span != phase.span:
            in_parts = f"    in {len(parts)} transitions" if len(parts) > 1 else ""
            yield f"    {source_of(game, phase.chance.span)}{in_parts}"
        for chooser in phase.choosers:
            kinds = [" ".join(source_of(game, kind.span).split()) for kind in chooser.kinds]
            who = source_of(game, chooser.span)
            if len(kinds) == 1:
                yield f"    {who} {kinds[0]}"
            else:
                yield f"    {who}"
                yield from (f"        {kind}" for kind in kinds)
        listings = dict.fromkeys(listing for part in parts for listing in sees_listings(game, part))
        for listing in listings:
            on = f"on {listing.kind}: " if listing.kind else ""
            condition = f"    if {listing.condition}" if listing.condition else ""
            names = listing.audience.split(", ")
            several = listing.audience == "all" or (len(names) > 1 and set(names) <= set(game.players.members))
            yield f"    {on}{listing.audience} {'see' if several else 'sees'}: " + (
                f"{', '.join(listing.values)}{condition}"
            )
        if not listings:
            yield "    nobody sees anything"


def sees_facts(game: typed.Game) -> list[dict[str, object]]:
    """Return what is told in each phase, as `--json` prints it."""
    return [
        {
            "phase": phase.name,
            "audience": listing.audience,
            "values": list(listing.values),
            "condition": listing.condition,
            "kind": listing.kind,
        }
        for phase in game.phases
        for listing in sees_listings(game, phase)
    ]


def table_lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table; the first column is left-aligned, the others are right-aligned."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        cells = [
            text.ljust(width) if place == 0 else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def branching_rows(game: typed.Game, shown: Examination) -> list[tuple[str, str, RunningStatistics]]:
    """Return for each phase and actor that was met the numbers of its actions or outcomes, in order of the rules.

    In automatic phases nobody acts, and they have none.
    """
    rows = []
    for parts in phases_as_written(game):
        for player, who in [(None, "chance"), *enumerate(game.players.members)]:
            met = [shown.branching[part.name, player] for part in parts if (part.name, player) in shown.branching]
            if met and not (player is None and parts[0].is_automatic):
                rows.append((parts[0].name, who, all_of(met)))
    return rows


def drawing_text(drawing: Drawing) -> Text:
    """Return a drawn state as coloured text for rich, without a final newline."""
    from rich.text import Text

    text = Text()
    height = len(drawing.rows)
    rows, below = drawing.named
    label_width = max(map(len, (str(height), *rows)))
    columns: list[str] = []
    for place, cells in drawing.board():
        label = "" if place is None else str(height - place) if drawing.has_labels else "".join(rows[place : place + 1])
        row = Text().append(f"{label:>{label_width}} {drawing.indent(place)}", style="dim")
        for cell in cells:
            color = COLORS.get(cell.color or "", cell.color or "")
            row.append(cell.text, style="dim" if cell.text.strip() == "." else color)
        row.rstrip()
        text.append_text(row).append("\n")
        if place == 0:
            columns = _column_labels(cells, bool(drawing.upright))
            widths = [len(cell.text) for cell in cells[::2]]
            columns = [f"{text:^{wide}} " for text, wide in zip(below, widths, strict=True)] if below else columns
    if drawing.rows and (drawing.has_labels or below):
        text.append(" " * (label_width + 1) + drawing.indent(height - 1))
        text.append("".join(columns).rstrip(), style="dim")
        text.append("\n")
    for label, value in drawing.lines:
        text.append(f"{labelled(label, value)}\n" if label else f"{value}\n")
    text.rstrip()
    return text


def _column_labels(cells: Sequence[DrawnCell], has_edges: bool) -> list[str]:
    """Return the letters of the columns, padded to the widths of a row's texts."""
    first = int(has_edges)
    return [
        (column_letters((place - first) // 2) if (place - first) % 2 == 0 else "").center(len(cell.text))
        for place, cell in enumerate(cells)
    ]


def mean_texts(numbers: RunningStatistics) -> tuple[str, str]:
    """Return the mean of independent numbers, with as many decimals as its standard error tells, and that error.

    Of a single number the error is `?`.
    """
    error = numbers.standard_error
    if not 0 < error < math.inf:
        return f"{numbers.mean:g}", "?" if error else "0"
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return f"{numbers.mean:.{decimals}f}", f"{error:.{decimals}f}"


def numbers_facts(numbers: RunningStatistics) -> Mapping[str, float | None]:
    """Return the keys that `--json` prints for independent numbers; None where there are not enough."""
    if not numbers.count:
        return {"min": None, "mean": None, "max": None, "standard_error": None}
    error = None if numbers.count == 1 else round(numbers.standard_error, 9)
    return {"min": numbers.minimum, "mean": round(numbers.mean, 6), "max": numbers.maximum, "standard_error": error}


def side_by_side(alike: Alike) -> Iterator[str]:
    """Yield lines with two plays that a player cannot tell apart, what it knows in both, and its choices in each."""
    plays = [list(play) for play in alike.plays]
    shown = max(len(play) for play in plays) > SHOWN_TRANSITIONS
    start = min(_first_difference(*plays), max(0, max(map(len, plays)) - SHOWN_TRANSITIONS)) if shown else 0
    columns = [play[start : start + SHOWN_TRANSITIONS] for play in plays]
    if start:
        yield f"both plays begin with the same {start} transitions, then"
    headings = ("one play", "another play")
    width = max(len(text) for text in (headings[0], *columns[0])) + 3
    yield headings[0].ljust(width) + headings[1]
    for left, right in zip_longest(*columns, fillvalue=""):
        yield f"  {left}".ljust(width) + f"  {right}"
    left_out = max(len(play) for play in plays) - start - SHOWN_TRANSITIONS
    if left_out > 0:
        yield f"  ... {left_out} more ..."
    known = alike.known[-SHOWN_TRANSITIONS:]
    more = f"... {len(alike.known) - len(known)} more; " if len(alike.known) > len(known) else ""
    yield f"all that `{alike.player}` knows, in both: {more}{'; '.join(known) or 'nothing'}"
    if alike.shown is not None:
        for heading, lines in zip(headings, alike.shown, strict=True):
            yield f"shown to `{alike.player}` in {heading}:"
            yield from (f"  {line}" for line in lines)
        return
    for heading, choices in zip(headings, alike.choices, strict=True):
        yield f"`{alike.player}` may choose in {heading}: {_choices_text(choices)}"


def _choices_text(choices: Sequence[str]) -> str:
    if not choices:
        return "nothing, it is over"
    more = len(choices) - SHOWN_CHOICES
    return ", ".join(choices[:SHOWN_CHOICES]) + (f" and {more} more" if more > 0 else "")


def _first_difference(left: Sequence[str], right: Sequence[str]) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(left), len(right)))
