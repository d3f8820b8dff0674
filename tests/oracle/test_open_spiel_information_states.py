"""The partition by our keys of information states is the one by OpenSpiel's information state strings.

Both games are walked side by side at random; where a player acts, equal keys must mean equal strings and the other way
round. Native keys, extended along the path by native code, must be those of the histories in Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pyspiel
import pytest

from ggp.language.text.source import SourceFile
from ggp.model.game import Game
from ggp.model.history import History
from ggp.model.makers.loading import game_from_source, load

DARK_HEX = """
game dark_hex "Hex in the dark"

players black, white
board cell = grid(3, 3)

state
    stones[player]: set of cell = {}
    tried[player]: set of cell = {}
    turn: player = black

let beside = {north, east, southeast, south, west, northwest}
table near_side[player]: set of cell = {black: {c in cell: c.y == 3}, white: {c in cell: c.x == 1}}
table far_side[player]: set of cell = {black: {c in cell: c.y == 1}, white: {c in cell: c.x == 3}}

phase place
    turn chooses at in all - tried[turn]
    let free = at not in stones[other(turn)]
    tried[turn] := tried[turn] + {at}
    stones[turn] := stones[turn] + {at}                    if free
    turn := other(turn)                                    if free
    sees turn: free
    next end if any p in player: joined(p) else place

def joined(p: player) = (reach from stones[p] & near_side[p] through stones[p] by beside) & far_side[p] != {}

payoff[p] = if joined(p) then 1 else -1
"""


def cell(width: int) -> Callable[[pyspiel.State, str], int]:
    return lambda _, text: (width - int(text[1])) * width + ord(text[0]) - ord("a")


def liar(state: pyspiel.State, text: str) -> int:
    by_text = {state.action_to_string(state.current_player(), action): action for action in state.legal_actions()}
    return by_text["Liar" if text == "liar" else text.removeprefix("bid ").replace(" ", "-")]


def less_one(_: pyspiel.State, text: str) -> int:
    return int(text) - 1


GAMES: list[tuple[str, Callable[[], Game], str, dict[str, Any], Callable[[pyspiel.State, str], int], int]] = [
    ("kuhn", lambda: load("kuhn_poker"), "kuhn_poker", {}, lambda _, text: ["pass", "bet"].index(text), 300),
    (
        "leduc",
        lambda: load("poker"),
        "leduc_poker",
        {"suit_isomorphism": True},
        lambda _, text: ["fold", "call", "raise 1"].index(text),
        1500,
    ),
    ("liars_dice", lambda: load("liars_dice"), "liars_dice", {}, liar, 700),
    ("phantom_ttt", lambda: load("phantom_tic_tac_toe"), "phantom_ttt", {}, cell(3), 500),
    (
        "goofspiel",
        lambda: load("goofspiel", n=4, bids="hidden", prizes="descending"),
        "goofspiel",
        {"num_cards": 4, "imp_info": True, "points_order": "descending"},
        less_one,
        1500,
    ),
    (
        "dark_hex",
        lambda: game_from_source(SourceFile("dark_hex.rules", DARK_HEX)),
        "dark_hex",
        {"board_size": 3, "gameversion": "cdh"},
        cell(3),
        500,
    ),
]


@pytest.mark.parametrize(
    ("ours", "theirs", "parameters", "number", "games"), [row[1:] for row in GAMES], ids=[row[0] for row in GAMES]
)
def test_keys_give_the_partition_of_open_spiel(
    ours: Callable[[], Game],
    theirs: str,
    parameters: dict[str, Any],
    number: Callable[[pyspiel.State, str], int],
    games: int,
) -> None:
    rng = random.Random(3)
    game, other = ours(), pyspiel.load_game(theirs, parameters)
    string_of: dict[tuple[int, tuple[int, int]], str] = {}
    key_of: dict[tuple[int, str], tuple[int, int]] = {}
    met = 0
    for _ in range(games):
        history, state = game.history(), other.new_initial_state()
        while not history.state.is_terminal() and not state.is_terminal():
            if history.state.is_chance():
                history = same_outcome(history, state, rng)
                continue
            chosen = {}
            for player in history.state.actors():
                legal = history.state.legal(player)
                key = history.information_state(player).key
                string = known_in(state, player)
                met += key_of.get((player, string)) == key
                assert string_of.setdefault((player, key), string) == string
                assert key_of.setdefault((player, string), key) == key
                chosen[player] = rng.choice(legal)
            joint = [number(state, str(chosen[player])) for player in sorted(chosen)]
            if state.is_simultaneous_node():
                state.apply_actions(joint)
            else:
                state.apply_action(joint[0])
            history = history.apply(chosen)
    assert met > games, "information states are met more than once"
    assert len(key_of) > 11


def known_in(state: pyspiel.State, player: int) -> str:
    """Return OpenSpiel's information state string.

    In dark hex it has a line with the number of all tries so far, the other player's failed ones too: nobody tells that
    number to the player, and it forgets when they happened. It is left out.
    """
    lines: list[str] = state.information_state_string(player).split("\n")
    if state.get_game().get_type().short_name == "dark_hex":
        assert lines.pop(3) == str(len(state.history()))
    return "\n".join(lines)


def same_outcome(history: History, state: pyspiel.State, rng: random.Random) -> History:
    """Draw an outcome for both: every value that ours draws is one less in theirs."""
    outcome, _ = rng.choice(history.state.chance_outcomes())
    for value in history.state.outcome_text(outcome).split():
        if state.is_chance_node():
            state.apply_action(int(value) - 1)
    return history.apply_outcome(outcome)
