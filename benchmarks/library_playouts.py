"""Random playouts per second of processor time in every library game, and in OpenSpiel's C++ in the same run.

OpenSpiel's figure is that of its
`RandomRolloutEvaluator`, which Python can only call through an MCTS bot with one simulation: the bot expands the first
state and plays `n` random games from the state after one action. So both sides start after the first deal or draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import ggp
from benchmarks import tables
from benchmarks.openspiel import pyspiel
from benchmarks.tables import rate, rate_of_more, table
from ggp.arithmetic.rng import seed_word
from ggp.game.game import Game
from ggp.native.playouts import ENDED, TRANSITIONS, random_playouts, totals_size

BATTLESHIP = (
    "battleship(board_width=4,board_height=4,ship_sizes=[2;3],ship_values=[1;1],num_shots=8,allow_repeated_shots=false)"
)
ROYAL_HOLDEM = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=2 1,raiseSize=2 2 4 4,firstPlayer=2 1 1 1,"
    "maxRaises=3 4 4 4,numSuits=4,numRanks=5,numHoleCards=2,numBoardCards=0 3 1 1,stack=100 100)"
)
PEERS: dict[str, tuple[str, dict[str, str]]] = {
    "amazons": ("amazons", {}),
    "backgammon": ("backgammon", {}),
    "battleship": (BATTLESHIP, {}),
    "blotto": ("blotto", {}),
    "breakthrough": ("breakthrough", {}),
    "checkers": ("checkers", {}),
    "chess": ("chess", {}),
    "connect_four": ("connect_four", {}),
    "dots_and_boxes": ("dots_and_boxes", {}),
    "dark_chess": ("dark_chess", {}),
    "dark_hex": ("dark_hex", {}),
    "einstein": ("einstein_wurfelt_nicht", {}),
    "go": ("go(board_size=9)", {}),
    "goofspiel": ("goofspiel", {}),
    "hex": ("hex", {}),
    "kalah": ("mancala", {}),
    "kuhn_poker": ("kuhn_poker", {}),
    "kuhn_poker_three": ("kuhn_poker(players=3)", {}),
    "liars_dice": ("liars_dice", {}),
    "nim": ("nim", {}),
    "nine_mens_morris": ("nine_mens_morris", {}),
    "oh_hell": ("oh_hell(players=4,num_suits=4,num_cards_per_suit=6,num_tricks_fixed=3)", {}),
    "oshi_zumo": ("oshi_zumo", {}),
    "phantom_go": ("phantom_go(board_size=5)", {}),
    "phantom_tic_tac_toe": ("phantom_ttt", {}),
    "pig": ("pig", {"dice": "1", "early_hold": "yes"}),
    "poker": ("leduc_poker", {}),
    "quoridor": ("quoridor(board_size=5)", {"size": "5"}),
    "reversi": ("othello", {}),
    "royal_holdem": (ROYAL_HOLDEM, {}),
    "sealed_auction": ("first_sealed_auction(players=5)", {}),
    "tic_tac_toe": ("tic_tac_toe", {}),
    "yacht": ("yacht", {}),
}
"""OpenSpiel's name of a game, and the parameters with which ours is the same game."""

FLOORS = {
    "tic_tac_toe": 2_800_000,
    "connect_four": 1_070_000,
    "breakthrough": 55_000,
    "hex": 51_000,
    "gomoku": 213_000,
    "reversi": 19_000,
}
"""The best compiled rule language: RBG to C++."""

HAND_WRITTEN = {"connect_four": 5_900_000, "breakthrough": 265_000, "reversi": 222_000, "goofspiel": 2_576_145}


def playouts(game: Game, seconds: float) -> tuple[float, float]:
    """Return random games and transitions a second of ours, from the first state in which a player acts."""
    rng, state = [seed_word(1)], game.initial()
    while state.is_chance():
        state = state.apply_outcome(state.sample_outcome(rng))
    native, words = game.native(), np.array(state.words, np.int64)
    random = np.array([seed_word(2)], np.uint64)
    totals, fault = np.zeros(totals_size(native.shape.players)), np.zeros(1, np.uint64)
    random_playouts(native, words, random, 1, totals, fault)

    def play(count: int) -> None:
        totals[:] = 0.0
        random_playouts(native, words, random, count, totals, fault)

    _, spent = rate_of_more(play, seconds)
    return totals[ENDED] / spent, totals[TRANSITIONS] / spent


def rollouts_of_open_spiel(name: str, seconds: float) -> float:
    """Return random games a second of OpenSpiel, on one thread."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    # the bot refuses a game in which all act at once, though it plays its states, and asks its game for utilities alone
    at_once = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    judge = pyspiel.load_game("tic_tac_toe") if at_once else game

    def roll_out(count: int) -> None:
        pyspiel.MCTSBot(judge, pyspiel.RandomRolloutEvaluator(count, 1), 2.0, 1, 10, False, 1, False).step(state)

    count, spent = rate_of_more(roll_out, seconds)
    return count / spent


def game_of(name: str) -> Game:
    """Return a library game, with the parameters that make it the peer's."""
    return ggp.load(name, **PEERS.get(name, ("", {}))[1])


def peer_rollouts(name: str, seconds: float) -> float:
    """Return random games a second of OpenSpiel, 0 where it does not have the game."""
    peer, _ = PEERS.get(name, ("", {}))
    return rollouts_of_open_spiel(peer, seconds) if peer else 0.0


def section(figures: Mapping[str, tuple[float, float]]) -> str:
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


def part(quick: bool) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    seconds = tables.seconds(quick)
    rates = {name: (playouts(game_of(name), seconds)[0], peer_rollouts(name, seconds)) for name in tables.games(quick)}
    return {"games": rates}, section(rates)
