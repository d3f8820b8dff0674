"""Games of texts, and games as typed trees."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent

from ggp.game.game import Game
from ggp.language import SourceFile, check, library_names, load_rules, render_all, typed
from ggp.rules_compiler.loading import game_from_source

HIDDEN_GAMES = (
    "battleship", "dark_chess", "dark_hex", "hanabi", "kuhn_poker", "kuhn_poker_three", "liars_dice", "love_letter",
    "oh_hell", "phantom_go", "phantom_tic_tac_toe", "poker", "royal_holdem", "sealed_auction", "stratego",
    "visibility_pursuit",
)  # fmt: skip
"""The library's games with hidden information. To find them takes seconds, too long for the collection of tests."""


SHORT: dict[str, dict[str, int | str]] = {
    "amazons": {"size": 4},
    "ataxx": {"size": 4, "quiet_moves": 4},
    "battleship": {"width": 3, "height": 3, "ships": 1, "shots": 4},
    "blotto": {"coins": 4},
    "breakthrough": {"width": 4, "height": 4},
    "cant_stop": {"columns_to_win": 1},
    "checkers": {"width": 4, "height": 4, "quiet_moves": 4},
    "chess": {"quiet_moves": 4},
    "connect6": {"size": 6},
    "connect_four": {"width": 4, "height": 4},
    "dark_chess": {"quiet_moves": 4},
    "go": {"size": 3, "moves": 10},
    "gomoku": {"size": 5},
    "goofspiel": {"n": 4},
    "hasami_shogi": {"size": 4, "quiet_moves": 4},
    "hex": {"width": 3, "height": 3},
    "liars_dice": {"faces": 3},
    "los_alamos": {"quiet_moves": 4},
    "nine_mens_morris": {"turns": 20},
    "oh_hell": {"ranks": 3, "tricks": 1},
    "oshi_zumo": {"coins": 8},
    "pente": {"size": 5},
    "phantom_go": {"size": 3, "moves": 10},
    "pig": {"goal": 10},
    "quoridor": {"size": 3, "walls": 1, "moves": 20},
    "reversi": {"width": 4, "height": 4},
    "sealed_auction": {"values": 3},
    "stratego": {"quiet_moves": 10},
    "tron": {"width": 5, "height": 5},
    "visibility_pursuit": {"map": "streets", "moves": 2},
    "yacht": {"throws": 1},
    "yavalath": {"size": 3},
    "yavalax": {"size": 5},
}
"""Parameters that make plays of the library's longer games short."""


def library_games() -> list[str]:
    """Return the names of all games in `rules/`."""
    return list(library_names())


def load_typed(name: str, parameters: Mapping[str, str | int] | None = None) -> typed.Game:
    """Return a library game with its parameters bound."""
    source, read_text = load_rules(name)
    result = check(source, dict(parameters or {}), read_text)
    assert result.game is not None, render_all(result.diagnostics, source)
    return result.game


def one_phase(
    phase: str, state: str, head: str = "", *, defs: str = "", payoff: str = "0", players: str = "ann, bob"
) -> str:
    """Return the rules of a game that has one phase, `go`, for tests of what stands in it.

    Args:
        phase: its statements, one a line; where they do not say what comes next it is the end.
        state: the variables, one a line, if there are any.
        head: declarations before them.
        defs: definitions behind them.
        payoff: of a player `p`.
        players: their names.
    """
    ends = "" if any(line.startswith("next ") for line in phase.split("\n")) else "\nnext end"
    parts = [
        *('game one_phase "What a test is about"', f"players {players}", head),
        *(("state", indent(state, "    ")) if state else ()),
        defs,
        *("phase go", indent(phase + ends, "    "), f"payoff[p] = {payoff}"),
    ]
    return "\n".join(part for part in parts if part) + "\n"


def typed_game(text: str, /, **parameters: str | int) -> typed.Game:
    """Return the game of a text, which has no errors."""
    source = SourceFile("test.rules", text)
    result = check(source, parameters)
    assert result.game is not None, render_all(result.diagnostics, source)
    return result.game


def game_of(text: str, /, **parameters: str | int) -> Game:
    """Return the game of a text, which has no errors."""
    return game_from_source(SourceFile("test.rules", text), parameters)
