"""Games of the library against OpenSpiel's: legal actions, chances, returns, what players know, in random games.

OpenSpiel plays everybody's last card of goofspiel by itself, so its games end one round before ours. Its information
states of goofspiel with hidden bids remember everything, as ours do; those of goofspiel with open bids and of Oshi-Zumo
forget how the game came to where it is, and are not compared. Its difference in points is that from the mean of both.
"""

from __future__ import annotations

import random
import re

import pyspiel
import pytest

from experiments import openspiel_texts as texts
from ggp.rules_compiler.loading import load
from tests.support.native_side_by_side import NativePlay
from tests.support.side_by_side import Pair, compare

OPEN = [
    (Pair("connect_four", {"width": 7, "height": 6}, "connect_four(rows=6,columns=7)", texts.dropped), 100),
    (Pair("connect_four", {"width": 5, "height": 4}, "connect_four(rows=4,columns=5)", texts.dropped), 100),
    (Pair("breakthrough", {"width": 8, "height": 8}, "breakthrough(rows=8,columns=8)", texts.piece_and_step), 40),
    (Pair("breakthrough", {"width": 5, "height": 6}, "breakthrough(rows=6,columns=5)", texts.piece_and_step), 40),
    (Pair("hex", {"width": 11, "height": 11}, "hex(board_size=11)", texts.from_first_row(11)), 30),
    (Pair("hex", {"width": 4, "height": 4}, "hex(board_size=4)", texts.from_first_row(4)), 30),
    (Pair("nim", {"last": "loses"}, "nim(is_misere=true)", texts.heap_and_number), 200),
    (Pair("nim", {"last": "wins"}, "nim(is_misere=false)", texts.heap_and_number), 200),
    (Pair("tic_tac_toe", {}, "tic_tac_toe", texts.from_first_row(3)), 300),
    (Pair("matching_pennies", {}, "matrix_mp", texts.numbered("heads", "tails")), 20),
    (Pair("rock_paper_scissors", {}, "matrix_rps", texts.numbered("rock", "paper", "scissors")), 30),
    (
        Pair(
            "pig",
            {"goal": 30, "dice": 1, "early_hold": True},
            "pig(winscore=30)",
            texts.numbered("roll", "hold"),
            outcome=lambda _, number: f"{number + 1} 6",
        ),
        200,
    ),
]
OPEN += [
    (
        Pair(
            "oshi_zumo",
            {"coins": coins, "half": half, "least": least},
            f"oshi_zumo(coins={coins},size={half},min_bid={least})",
            texts.less(0),
        ),
        100,
    )
    for coins, half, least in [(50, 3, 1), (10, 3, 1), (6, 1, 1), (8, 2, 0), (9, 2, 3)]
]
BOARDS = [
    (Pair("reversi", {}, "othello", texts.from_last_row(8), passing=64), 60),
    (Pair("kalah", {}, "mancala", texts.pit), 60),
    (Pair("checkers", {}, "checkers", texts.two_squares), 40),
    *(
        (Pair("quoridor", {"size": n}, f"quoridor(board_size={n})", texts.step_or_wall(n)), games)
        for n, games in ((5, 12), (9, 2))
    ),
    *((Pair("amazons", {"size": n}, f"amazons(board_size={n})", texts.from_last_row(n)), 4) for n in (10, 6)),
]
BOARDS += [
    (
        Pair(
            "dots_and_boxes",
            {"width": width, "height": height, "payoffs": payoffs},
            f"dots_and_boxes(num_rows={height},num_cols={width},utility_margin={payoffs == 'difference'})",
            texts.edge,
        ),
        20,
    )
    for width, height, payoffs in ((2, 2, "win"), (3, 4, "difference"))
]
HIDDEN = [
    (Pair("kuhn_poker", {}, "kuhn_poker", texts.numbered("pass", "bet")), 500),
    (Pair("kuhn_poker_three", {}, "kuhn_poker(players=3)", texts.numbered("pass", "bet")), 500),
    (Pair("poker", {}, "leduc_poker(suit_isomorphism=true)", texts.betting), 1500),
    (Pair("liars_dice", {}, "liars_dice", texts.liars_action), 700),
    (Pair("phantom_tic_tac_toe", {}, "phantom_ttt", texts.from_last_row(3)), 500),
    (
        Pair("phantom_tic_tac_toe", {"collision": "abrupt"}, "phantom_ttt(gameversion=abrupt)", texts.from_last_row(3)),
        500,
    ),
]


def goofspiel(prizes: str, n: int, bids: str, winner: str) -> Pair:
    order, returns = prizes.replace("shuffled", "random"), winner.replace("most_points", "win_loss")
    hides = str(bids == "hidden").lower()
    return Pair(
        "goofspiel",
        {"n": n, "prizes": prizes, "bids": bids, "winner": winner},
        f"goofspiel(num_cards={n},imp_info={hides},points_order={order},returns_type={returns})",
        texts.less(1),
        unit=1.0 if winner == "most_points" else 2.0,
        ends_early=True,
    )


@pytest.mark.sweep
@pytest.mark.parametrize(("pair", "games"), OPEN, ids=str)
def test_open_games(pair: Pair, games: int) -> None:
    compare(pair, games=games)


@pytest.mark.sweep
@pytest.mark.parametrize(("pair", "games"), HIDDEN, ids=str)
def test_hidden_games(pair: Pair, games: int) -> None:
    compare(pair, games=games, knows=True)


@pytest.mark.sweep
@pytest.mark.parametrize("winner", ["most_points", "point_difference"])
@pytest.mark.parametrize("bids", ["shown", "hidden"])
@pytest.mark.parametrize(
    ("prizes", "n", "games"),
    [("shuffled", 4, 300), ("descending", 4, 1500), ("ascending", 3, 300), ("shuffled", 13, 30)],
)
def test_goofspiel(prizes: str, n: int, games: int, bids: str, winner: str) -> None:
    compare(goofspiel(prizes, n, bids, winner), games=games, knows=bids == "hidden")


@pytest.mark.sweep
@pytest.mark.parametrize(("pair", "games"), BOARDS, ids=str)
def test_board_games(pair: Pair, games: int) -> None:
    compare(pair, games=games)


@pytest.mark.long
def test_sealed_auction() -> None:
    """Theirs lets the bidders choose one after the other; nobody sees the bids before, so it is the same game."""
    rng, play = random.Random(5), NativePlay(load("sealed_auction", values=3).initial())
    theirs = pyspiel.load_game("first_sealed_auction(players=5,max_value=3)")
    for _ in range(200):
        play.begin()
        state = theirs.new_initial_state()
        worth = rng.choice(list(play.outcomes))
        for value in worth.split():
            state.apply_action(int(value))
        play.apply_outcome(worth)
        bids = {}
        for player in range(5):
            assert sorted(map(int, play.legal[player])) == state.legal_actions()
            bids[player] = rng.choice(sorted(play.legal[player]))
            state.apply_action(int(bids[player]))
        play.apply(bids)
        if play.outcomes:
            chances = {play.state.game.player(text): chance for text, (_, chance) in play.outcomes.items()}
            assert chances == pytest.approx(dict(state.chance_outcomes()))
            winner = rng.choice(sorted(play.outcomes))
            state.apply_action(play.state.game.player(winner))
            play.apply_outcome(winner)
        assert list(play.state.utilities()) == pytest.approx(state.returns())


@pytest.mark.long
def test_einstein() -> None:
    """Theirs places all pieces at once, and lets white begin, as player 1, in the south-east corner."""
    rng, play = random.Random(6), NativePlay(load("einstein").initial())
    theirs = pyspiel.load_game("einstein_wurfelt_nicht")
    ways = {"north": "up", "east": "left", "northeast": "diag", "south": "down", "west": "right", "southwest": "diag"}
    for _ in range(200):
        play.begin()
        state = theirs.new_initial_state()
        state.apply_action(rng.randrange(720))
        state.apply_action(rng.randrange(720))
        squares = re.findall(r"\|(.\w)\|", str(state))
        at = {text: f"{'edcba'[place % 5]}{5 - place // 5}" for place, text in enumerate(squares)}
        for number in range(1, 7):
            play.apply_outcome(f"{at[f'w{number}']} {at[f'b{number}']}")
        while not play.state.is_terminal():
            if play.outcomes:
                assert len(play.outcomes) == len(state.chance_outcomes()) == 6
                face = rng.choice(list(play.outcomes))
                state.apply_action(int(face) - 1)
                play.apply_outcome(face)
                continue
            (player,) = play.acting
            assert state.current_player() == 1 - player
            texts = {state.action_to_string(number).rstrip("*"): number for number in state.legal_actions()}
            numbers = {text: texts[f"{'WB'[player]}{text[0]}-{ways[text[2:]]}"] for text in play.legal[player]}
            assert sorted(numbers.values()) == state.legal_actions()
            chosen = rng.choice(sorted(numbers))
            play.apply({player: chosen})
            state.apply_action(numbers[chosen])
        assert state.is_terminal()
        assert list(play.state.utilities()) == state.returns()[::-1]
