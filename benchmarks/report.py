"""The measurements as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks import hidden_search_speed
from benchmarks.batch_speed import BatchSpeed
from benchmarks.library_playouts import FLOORS, HAND_WRITTEN
from benchmarks.page_speed import PageFigures
from benchmarks.python_speed import BATCH, PythonSpeed
from benchmarks.search_speed import PLAYERS, ROWS, Speed
from benchmarks.sequence_form_speed import SequenceFormSpeed
from benchmarks.starting import FirstMinute, Starting
from benchmarks.thread_speed import STRENGTH_ROW, STRENGTH_RUNS, ThreadFigures
from benchmarks.turn_search_speed import MOVE_S, SIMULATING, STARS, SimulationSpeed, StarSpeed

INTRODUCTION = """# Measured speed

Measured by `python -m benchmarks`. Rates are per second of processor time on one thread, so that other work on the
machine matters little, except for its effect on caches and clock frequencies."""


TRON_NOTE = """\
Riding into a wall is legal in Tron, so its random games last 1.35 transitions on average: its rates say little about
longer games, and it is unknown whether the Java program's playouts crash as early.
"""


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; all columns but the first are aligned to the right."""
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def rate(number: float) -> str:
    """Return a rate as a whole number, or `-` if there is none."""
    return f"{number:,.0f}" if number else "-"


def playout_section(figures: Mapping[str, tuple[float, float]]) -> str:
    """Return the table of random playouts: ours and OpenSpiel's (0: none) by game."""
    rows = [
        [
            name,
            rate(ours),
            rate(theirs),
            f"{ours / theirs:.1f}" if theirs else "-",
            rate(FLOORS.get(name, 0)),
            rate(HAND_WRITTEN.get(name, 0)),
        ]
        for name, (ours, theirs) in figures.items()
    ]
    heading = ["game", "playouts/s", "OpenSpiel, C++", "ratio", "RBG to C++", "by hand"]
    note = (
        "RBG and games written by hand were measured earlier, on machines of this kind. "
        "OpenSpiel's bot plays goofspiel and oshi_zumo by flattened joint actions, which slows it: its own random "
        "simulation reached 93,000 and 440,000 on such a machine, and these are the figures to compare with."
    )
    return f"## Random playouts\n\n{table(heading, rows)}\n\n{note}"


def python_section(figures: Mapping[str, PythonSpeed]) -> str:
    """Return the table of random games from Python, by `State` and by the batch, against OpenSpiel's loop (0: none)."""
    rows = [
        [
            name,
            rate(one.python_games_per_s),
            rate(one.peer_games_per_s),
            f"{one.python_games_per_s / one.peer_games_per_s:.1f}" if one.peer_games_per_s else "-",
            rate(one.batch_steps_per_s),
            f"{one.playout_steps_per_s / one.batch_steps_per_s:.1f}",
        ]
        for name, one in figures.items()
    ]
    heading = ["game", "games/s in Python", "OpenSpiel", "ratio", "batch, steps/s", "playout is faster by"]
    note = (
        "Random games in a loop over `State`, and in the same loop over OpenSpiel's states; transitions of a batch of "
        f"{BATCH:,} games by random legal actions, drawn in the same time; how much faster native playouts go."
    )
    return f"## From Python\n\n{table(heading, rows)}\n\n{note}"


def batch_section(figures: Mapping[str, BatchSpeed]) -> str:
    """Return the table of batches, beside Pgx where it was measured."""
    rows = [
        [
            name,
            rate(one.steps_per_s),
            f"{one.playout_steps_per_s / one.steps_per_s:.1f}",
            rate(one.actions_per_s),
            *(
                figure
                for theirs in (one.peer_actions_per_s, one.peer_loop_actions_per_s)
                for figure in (rate(theirs), f"{one.actions_per_s / theirs:.1f}" if theirs else "-")
            ),
        ]
        for name, one in figures.items()
    ]
    heading = [
        "game",
        "steps/s",
        "playout is faster by",
        "players' actions/s",
        "Pgx",
        "ratio",
        "Pgx in a loop",
        "ratio",
    ]
    note = (
        f"Transitions of {BATCH:,} games at once, random legal actions and automatic reset included, on one core, by "
        "processor time, measured in turns. `Pgx`: Python calls one compiled function a step and gets the "
        "states; `in a loop`: all steps are one compiled loop (`lax.scan`). "
        "Pgx draws for chance within a player's action, so only players' actions are compared."
    )
    return f"## Beside Pgx\n\n{table(heading, rows)}\n\n{note}"


def search_section(figures: Mapping[str, Mapping[str, Speed]], memory_s: float) -> str:
    """Return the table of searches, each with the ratio to the Java program, and that of memory.

    Args:
        figures: by title of the game, and player.
        memory_s: seconds that a gigabyte takes when it is touched for the first time.
    """
    rows = []
    for row in ROWS:
        if row.title in figures:
            cells = [row.title]
            for place, player in enumerate(PLAYERS):
                thousands = figures[row.title][player].iterations_per_s / 1000
                ratio = f" ({thousands / row.java[place]:.1f}×)" if row.java else ""
                cells.append(f"{thousands:,.0f}{ratio}")
            rows.append(cells)
    memory = [
        [title, *(f"{speeds[player].bytes_per_node:,.0f}" for player in PLAYERS)] for title, speeds in figures.items()
    ]
    return (
        "## Searches\n\nThousand iterations a second, in brackets the ratio to the Java program of Lisý 2014.\n\n"
        + table(["game", *PLAYERS], rows)
        + f"\n\n{TRON_NOTE}\nThe memory had been touched before. The first touch of a gigabyte took {memory_s:.2f} s "
        + "of processor time, which is added where a tree grows into fresh memory.\n\n"
        + "Bytes a node, with all its statistics and its table of children; leaves are nodes.\n\n"
        + table(["game", *PLAYERS], memory)
    )


def hidden_section(figures: Mapping[str, Mapping[str, float]]) -> str:
    """Return the table of searches with hidden information, each with the ratio to the Java program.

    Args:
        figures: iterations a second, by title of the game, and player.
    """
    rows = []
    for row in hidden_search_speed.ROWS:
        if row.title in figures:
            cells = [row.title]
            for player, java in zip(hidden_search_speed.PLAYERS, row.java, strict=True):
                thousands = figures[row.title][player] / 1000
                cells.append(f"{thousands:,.0f}{f' ({thousands / java:.1f}×)' if java else ''}")
            rows.append(cells)
    heading = ["game", *(player.replace("ismcts:selection=", "ismcts ") for player in hidden_search_speed.PLAYERS)]
    return (
        "## Searches with hidden information\n\nThousand iterations a second from the beginning of the game, in "
        + "brackets the ratio to the Java program of Lisý 2014.\n\n"
        + table(heading, rows)
    )


def turn_section(simulations: Mapping[str, SimulationSpeed], stars: Mapping[str, Mapping[str, StarSpeed]]) -> str:
    """Return the tables of searches in games with turns."""
    compared = [
        [
            name,
            *(rate(speed.ours[player]) for player in SIMULATING),
            rate(speed.peer),
            f"{speed.ours['mcts'] / speed.peer:.1f}",
        ]
        for name, speed in simulations.items()
    ]
    fast = [
        [name, *(f"{found[player].nodes_per_s / 1000:,.0f}, {found[player].depth}" for player in STARS)]
        for name, found in stars.items()
    ]
    saved = [
        [
            name,
            str(found["star1"].equal_depth),
            *(f"{100 * (1 - found[player].share):.0f}" for player in ("star1", "star2")),
        ]
        for name, found in stars.items()
    ]
    return (
        "## Searches of games in turns\n\nSimulations a second, beside OpenSpiel's MCTS bot.\n\n"
        + table(["game", *SIMULATING, "OpenSpiel, C++", "mcts is faster by"], compared)
        + "\n\nThousand states visited a second, and the depth that is finished from the first decision after "
        + f"{1000 * MOVE_S:.0f} ms.\n\n"
        + table(["game", *STARS], fast)
        + "\n\nShare of expectimax's states that pruning saves at equal depth, without a table, in %.\n\n"
        + table(["game", "depth", "star1", "star2"], saved)
    )


def thread_section(figures: ThreadFigures) -> str:
    """Return the tables of the effect of threads."""
    several = f"{figures.threads} threads"
    speeds = [
        [
            title,
            player,
            rate(speed.one),
            rate(speed.several),
            f"{speed.several / speed.one:.2f}",
            f"{speed.several_of_cpu / speed.one_of_cpu:.2f}",
        ]
        for title, row in figures.speed.items()
        for player, speed in row.items()
    ]
    strengths = [
        [
            player,
            f"{found.seconds:g}",
            f"{found.one:.4f} ± {1.96 * found.one_error:.4f}",
            f"{found.several:.4f} ± {1.96 * found.several_error:.4f}",
        ]
        for player, row in figures.strength.items()
        for found in row
    ]
    return (
        "## Threads\n\nIterations a second of wall time; a thread has a tree of its own. The last column compares "
        + "iterations a second of processor time: below 1, threads hinder each other.\n\n"
        + table(["game", "player", "one thread", several, "speed-up", "a CPU second"], speeds)
        + f"\n\nNashConv of the root's strategies in the matrix of exact values, {STRENGTH_ROW.title}, after the same "
        + f"wall time; mean of {STRENGTH_RUNS} runs, with its 95 % interval.\n\n"
        + table(["player", "seconds", "one thread", several], strengths)
    )


def solver_section(figures: Mapping[str, SequenceFormSpeed]) -> str:
    """Return the table of CFR+ and best responses over whole games with hidden information."""
    rows = []
    for title, speed in figures.items():
        peers = (speed.lite_efg_iterations_per_s, speed.open_spiel_iterations_per_s)
        ratio = speed.open_spiel_response_s / speed.response_s
        rows.append(
            [
                title,
                f"{1000 * speed.unfolding_s:.2f}",
                rate(speed.iterations_per_s),
                *(f"{rate(peer)} ({speed.iterations_per_s / peer:,.0f}×)" if peer else "-" for peer in peers),
                f"{1e6 * speed.response_s:,.1f}",
                f"{1e6 * speed.open_spiel_response_s:,.0f} ({ratio:,.0f}×)",
            ]
        )
    heading = ["game", "unfolding, ms", "CFR+ iterations/s", "LiteEFG", "OpenSpiel, C++"]
    return (
        "## Solvers over information states\n\nCFR+ over the whole game, both players updated; best response of the "
        + "first player to the uniform strategy. In brackets the ratio.\n\n"
        + table([*heading, "best response, µs", "OpenSpiel, C++, µs"], rows)
    )


def starting_section(figures: Mapping[str, Starting]) -> str:
    """Return the table of compilation and checking."""
    rows = [
        [name, f"{measured.cold:.2f}", f"{1000 * measured.cached:.1f}", f"{measured.check:.2f}"]
        for name, measured in figures.items()
    ]
    return "## Until a game can be played\n\n" + table(["game", "compile, s", "cached, ms", "`ggp check`, s"], rows)


def first_minute_section(figures: Mapping[str, FirstMinute]) -> str:
    """Return the table of first commands on a new machine."""
    rows = [
        [f"`ggp {command}`", f"{measured.first:.1f}", f"{measured.first_cpu:.1f}", f"{measured.again:.1f}"]
        for command, measured in figures.items()
    ]
    heading = ["command", "first time, s", "of CPU, s", "again, s"]
    return "## The first minute\n\nSeconds on the clock, with an empty cache and again.\n\n" + table(heading, rows)


def pages_section(figures: PageFigures) -> str:
    """Return the table of the pages."""
    rows = [
        [name, f"{one.first_ms:.0f}", f"{one.click_ms:.0f}", f"{one.key_ms:.0f}"] for name, one in figures.games.items()
    ]
    return (
        "## Pages\n\nIn a headless Chromium on the same machine: from the request of the page to the first board (the"
        " game compiled), from the first click of an action to the board after it, and from a key in the editor to the"
        f" diagnostics. Scripts for playing and watching: {figures.script_bytes / 1000:.0f} kB compressed.\n\n"
        + table(["game", "first board, ms", "click to board, ms", "key to diagnostics, ms"], rows)
    )


def report(facts: Mapping[str, str], sections: Sequence[str]) -> str:
    """Return the page."""
    told = ", ".join(f"{key} {value}" for key, value in facts.items())
    return "\n\n".join([INTRODUCTION, f"Measured on: {told}.", *sections]) + "\n"
