"""The tables of matches of Lisý 2014: 4.1 to 4.5 and figures 4.6 to 4.10, all choose at once; 4.8 to 4.12, much is
hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from experiments.l14_convergence import FIGURES
from experiments.l14_published import COLUMNS, ESTIMATE, HIDDEN, PLAIN, SIMULTANEOUS, WITH, WITHOUT, published
from experiments.rules_files import rules_file
from experiments.tables import around, markdown_table
from ggp.competition.statistics import Interval

SELECTIONS = {"RUCT": "ruct", "UCT": "uct", "EXP3": "exp3", "RM": "rm"}
SEARCHES = {
    "OOS": "oos:gamma=0.6",
    "DUCT": "duct:c={c},unit=bounds",
    "EXP3": "exp3:gamma=0.2,unit=bounds",
    "RM": "rm:gamma=0.1",
}


@dataclass(frozen=True, slots=True)
class Matches:
    """A table of matches.

    Attributes:
        title: for the page.
        game: a rules file, or the name of a library game.
        parameters: of the game.
        iterations: of each decision.
        games: of each pair.
        variants: how all play, or which players use beliefs.
        claims: what the thesis says.
        value: of the game to the first player, subtracted from mean payoffs; None: results are shares of wins.
        c: DUCT's constant, for utilities in [0, 1].
        seeds: random games among which the matches are divided: the parameter `seed` from 1 on.
    """

    title: str
    game: str
    parameters: Mapping[str, str]
    iterations: int
    games: int
    variants: tuple[str, ...]
    claims: str
    value: float | None = None
    c: float = 1.0
    seeds: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """The players, as the thesis calls them."""
        return SIMULTANEOUS if self.variants[0] == PLAIN else HIDDEN

    def players(self, variant: str, row: str, column: str) -> list[str]:
        """Return the two players of a cell, as commands write them."""
        return [self._player(row, variant in (WITH, ESTIMATE)), self._player(column, variant not in (WITHOUT, PLAIN))]

    def _player(self, name: str, helped: bool) -> str:
        if name == "RAND":
            return "random"
        if self.names == SIMULTANEOUS:
            return SEARCHES[name].format(c=self.c) + (",leaf=estimate" if helped else "")
        if name == "OOS":
            return "oos"
        return f"ismcts:selection={SELECTIONS[name]},belief={'on' if helped else 'off'}"


MATCHES = {
    "4.1": Matches(
        "goofspiel(13), descending prizes",
        "goofspiel",
        {"lowest": "0", "prizes": "descending"},
        1000,
        40,
        (PLAIN,),
        "RM and Exp3 win most, OOS is the weakest; DUCT wins least against the random player.",
    ),
    "4.2": Matches(
        "Oshi-Zumo(50,3,1)",
        "oshi_zumo",
        {},
        1000,
        40,
        (PLAIN, ESTIMATE),
        "RM is the strongest with playouts, DUCT with the evaluation function.",
    ),
    "4.3": Matches(
        "ten random games of depth 15 with five actions, by the sign of the payoff",
        "random_game",
        {"branching": "5", "depth": "15"},
        1000,
        40,
        (PLAIN,),
        "OOS loses to all; RM and Exp3 are slightly ahead of DUCT.",
        c=0.4,
        seeds=10,
    ),
    "4.4": Matches(
        "pursuit-evasion on 10x10, 15 moves, from one start (the thesis: ten drawn ones, not published)",
        "pursuit_evasion",
        {
            "width": "10",
            "height": "10",
            "moves": "15",
            "evader_x": "3",
            "evader_y": "3",
            "left_x": "8",
            "left_y": "7",
            "right_x": "7",
            "right_y": "8",
        },
        1000,
        40,
        (PLAIN,),
        "The evader, who is the row's player, wins most; RM is the best pursuer, OOS the weakest in both roles.",
    ),
    "4.5": Matches(
        "Tron 13x13",
        "tron",
        {},
        1000,
        20,
        (PLAIN, ESTIMATE),
        "RM is ahead of Exp3, Exp3 of DUCT, and OOS is far behind; the evaluation function makes OOS better.",
    ),
    "4.8": Matches(
        "hidden goofspiel(6)",
        rules_file("goofspiel_in_turns"),
        {},
        6000,
        40,
        (WITHOUT, WITH),
        "Without beliefs the variants of IS-MCTS win as the first player (54 to 76 % among themselves), and OOS loses"
        " least as the second; with beliefs only results against the random player differ from a draw.",
    ),
    "4.9": Matches(
        "hidden goofspiel(13)",
        rules_file("goofspiel_in_turns"),
        {"n": "13"},
        300,
        16,
        (WITHOUT, WITH),
        "OOS wins only 16 to 25 % as the first player; the variants of IS-MCTS win 61 to 80 % among themselves as the"
        " first player without beliefs, 52 to 69 % with them.",
    ),
    "4.10": Matches(
        "generic poker, 2 sizes of bets, 2 raises, 3 cards of 3 ranks",
        "poker",
        {"bet_sizes": "2", "max_raises": "2", "copies": "3"},
        1000,
        200,
        (WITHOUT, COLUMNS),
        "Hardly any difference is significant but that to the random player (1.4 to 2.6); RM wins most.",
        value=-0.111353,
    ),
    "4.11": Matches(
        "generic poker, 4 sizes of bets, 4 raises, 4 cards of 6 ranks",
        "poker",
        {"bet_sizes": "4", "max_raises": "4", "copies": "4", "ranks": "6"},
        1000,
        100,
        (WITHOUT, WITH),
        "Everybody does better as the second player; OOS loses most, RM to the random player least.",
        value=-0.11,
    ),
    "4.12": Matches(
        "phantom tic-tac-toe",
        "phantom_tic_tac_toe",
        {},
        1000,
        60,
        (WITHOUT, WITH),
        "The first player wins 80 to 90 %; RM loses least as the second; beliefs make no difference (the thesis shows"
        " only the results with them).",
    ),
}

SMALL_CLAIMS = (
    "None differs significantly from the others.",
    "OOS wins most, followed by RM; DUCT is slightly worse, and Exp3 by far the worst.",
    "",
    "The second player, who pursues, has the advantage; from one of two starts DUCT wins most as the pursuer, from the"
    " other least. As the evader DUCT wins most. Exp3 is among the worst.",
    "DUCT wins against OOS, and Exp3 loses to all others, so that strength is not in the order of convergence.",
)
"""What the text says of the matches in figures 4.6 to 4.10, whose numbers are in pictures only."""
for number, ((small, figure), claim) in enumerate(zip(FIGURES.items(), SMALL_CLAIMS, strict=True), start=6):
    MATCHES[f"figure-4.{number}"] = Matches(
        small, figure.game, dict(figure.parameters), 1000, 200, (PLAIN,), claim, c=figure.c
    )


def cell_name(table: str, variant: str, row: str, column: str) -> str:
    """Return the name under which a cell is recorded."""
    return f"{table} {variant}: {row} against {column}"


def _together(table: str, variant: str, found: Mapping[str, Interval]) -> list[str]:
    """Return the mean over all pairs of variants of IS-MCTS: the advantage of the first player."""
    pairs = [(row, column) for row in SELECTIONS for column in SELECTIONS]
    scale = 1 if MATCHES[table].value is not None else 100
    own = [scale * found[name].estimate for pair in pairs if (name := cell_name(table, variant, *pair)) in found]
    theirs = published(table, variant)
    if MATCHES[table].names != HIDDEN or len(own) < len(pairs) or not theirs:
        return []
    ours, thesis = sum(own) / len(own), sum(theirs[pair] for pair in pairs) / len(pairs)
    return [f"The {len(own)} pairs of variants of IS-MCTS together: {ours:.2f}, in the thesis {thesis:.2f}."]


def section_of_matches(
    table: str, found: Mapping[str, Interval], iterations: int | None, games: int | None
) -> list[str]:
    """Return what follows the heading of a table: each cell with the thesis's number behind it."""
    matches = MATCHES[table]
    share = matches.value is None
    unit = "% won by the row's player, a draw half" if share else "mean payoff less the game's value"
    parts = [
        f"{matches.title}; {iterations or matches.iterations:,} iterations a decision, {games or matches.games} games"
        f" each: {unit}; behind the stroke, the thesis's after 1 s a decision where its text has numbers.",
        *([f"Thesis: {matches.claims}"] if matches.claims else []),
    ]
    for variant in matches.variants:
        theirs, rows = published(table, variant), []
        for row in matches.names:
            cells = [f"**{row}**"]
            for column in matches.names:
                told = theirs.get((row, column))
                thesis = "-" if told is None else f"{told:.0f}" if share else f"{told:.2f}"
                ours = found.get(cell_name(table, variant, row, column))
                cells.append(f"{around(ours, 0, 100) if share else around(ours, 2)} / {thesis}")
            rows.append(cells)
        parts += [variant.capitalize() + ":", markdown_table(["", *matches.names], rows)]
        parts += _together(table, variant, found)
    return parts
