"""Measures everything: `python -m benchmarks [--quick] [--pgx PYTHON] [--json FILE] [--markdown FILE] [PART...]`.

Parts: playouts, searches, turns, hidden, threads, solvers, starting, first, python, batch, pages; all by default.
`--quick` measures two games for short times, to check that it works. `--pgx` names a Python that has Pgx, for the part
`batch`.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from benchmarks import (
    batch_speed,
    hidden_search_speed,
    page_speed,
    python_speed,
    search_speed,
    sequence_form_speed,
    starting,
    thread_speed,
    turn_search_speed,
)
from benchmarks.library_playouts import game_of, peer_rollouts, playouts
from benchmarks.machine import machine_facts
from benchmarks.report import (
    batch_section,
    first_minute_section,
    hidden_section,
    pages_section,
    playout_section,
    python_section,
    report,
    search_section,
    solver_section,
    starting_section,
    thread_section,
    turn_section,
)
from ggp.language import library_names

PARTS = (
    "playouts",
    "searches",
    "turns",
    "hidden",
    "threads",
    "solvers",
    "starting",
    "first",
    "python",
    "batch",
    "pages",
)
QUICK_GAMES = ("goofspiel", "tic_tac_toe")
QUICK_NODES = 300_000


def run(parts: tuple[str, ...], quick: bool, pgx: Path | None = None) -> tuple[dict[str, object], str]:
    """Measure some parts; return the figures for JSON, and the Markdown page."""
    seconds = 0.1 if quick else 0.6
    names = QUICK_GAMES if quick else tuple(library_names())
    facts = machine_facts()
    print(", ".join(facts.values()), flush=True)
    figures: dict[str, object] = {"machine": facts}
    sections = []
    if "playouts" in parts:
        rates = {name: (playouts(game_of(name), seconds)[0], peer_rollouts(name, seconds)) for name in names}
        figures["playouts"] = {"games": rates}
        sections.append(playout_section(rates))
    if "searches" in parts:
        memory_s = search_speed.memory_cost()
        speeds = search_speed.measure(search_speed.ROWS[:2] if quick else search_speed.ROWS, seconds)
        figures["searches"] = {
            title: {player: asdict(speed) for player, speed in row.items()} for title, row in speeds.items()
        }
        figures["memory_s_per_gigabyte"] = memory_s
        sections.append(search_section(speeds, memory_s))
    if "turns" in parts:
        peers = ("connect_four",) if quick else tuple(turn_search_speed.PEERS)
        simulations = turn_search_speed.measure_simulations(peers, seconds)
        games = ("pig",) if quick else turn_search_speed.STAR_GAMES
        most = QUICK_NODES if quick else turn_search_speed.MAX_EQUAL_NODES
        stars = turn_search_speed.measure_stars(games, seconds, most)
        figures["turns"] = {
            "simulations": {name: asdict(speed) for name, speed in simulations.items()},
            "stars": {name: {player: asdict(one) for player, one in row.items()} for name, row in stars.items()},
        }
        sections.append(turn_section(simulations, stars))
    if "hidden" in parts:
        hidden_rows = hidden_search_speed.ROWS[:1] if quick else hidden_search_speed.ROWS
        hidden = hidden_search_speed.measure(hidden_rows, seconds)
        figures["hidden"] = hidden
        sections.append(hidden_section(hidden))
    if "threads" in parts:
        threads = thread_speed.measure(seconds, quick)
        figures["threads"] = asdict(threads)
        sections.append(thread_section(threads))
    if "solvers" in parts:
        rows = sequence_form_speed.ROWS[:1] if quick else sequence_form_speed.ROWS
        solved = sequence_form_speed.measure(rows, seconds)
        figures["solvers"] = {title: asdict(speed) for title, speed in solved.items()}
        sections.append(solver_section(solved))
    if "starting" in parts:
        started = starting.measure(names)
        figures["starting"] = {name: asdict(measured) for name, measured in started.items()}
        sections.append(starting_section(started))
    if "first" in parts:
        commands = starting.FIRST_COMMANDS[-1:] if quick else starting.FIRST_COMMANDS
        minute = starting.first_minute(commands)
        figures["first"] = {command: asdict(measured) for command, measured in minute.items()}
        sections.append(first_minute_section(minute))
    if "python" in parts:
        speeds_in_python = python_speed.measure(names, seconds)
        figures["python"] = {name: asdict(measured) for name, measured in speeds_in_python.items()}
        sections.append(python_section(speeds_in_python))
    if "batch" in parts:
        batches = batch_speed.measure(QUICK_GAMES[1:] if quick else tuple(batch_speed.PEERS), seconds, pgx)
        figures["batch"] = {name: asdict(measured) for name, measured in batches.items()}
        sections.append(batch_section(batches))
    if "pages" in parts:
        shown = page_speed.measure(quick)
        if shown is None:
            print("pages: no chromium, or the pages are not built (`make web`)")
        else:
            figures["pages"] = asdict(shown)
            sections.append(pages_section(shown))
    return figures, report(facts, sections)


def main(arguments: list[str] | None = None) -> None:
    """Read the arguments, measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure speed.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--quick", action="store_true", help="two games, short times")
    parser.add_argument("--pgx", type=Path, metavar="PYTHON", help="a Python that has Pgx, for the part `batch`")
    parser.add_argument("--json", type=Path, help="write the figures")
    parser.add_argument("--markdown", type=Path, help="write the page")
    given = parser.parse_args(arguments)
    unknown = [part for part in given.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part `{unknown[0]}`; parts: {', '.join(PARTS)}")
    figures, page = run(tuple(given.parts) or PARTS, given.quick, given.pgx)
    print(page)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n")
    if given.markdown:
        given.markdown.write_text(page)


if __name__ == "__main__":
    main()
