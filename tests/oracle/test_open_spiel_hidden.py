"""Games with hidden information against OpenSpiel's: same legal actions, chances, returns and information states."""

from __future__ import annotations

import random

import pyspiel
import pytest
from library import load_typed
from side_by_side import Ours, by_text, compare


@pytest.mark.parametrize(("name", "players"), [("kuhn_poker", 2), ("kuhn_poker_three", 3)])
def test_kuhn_poker(name: str, players: int) -> None:
    compare(
        load_typed(name),
        pyspiel.load_game("kuhn_poker", {"players": players}),
        action=lambda state, text: ["pass", "bet"].index(text),
        outcome=lambda state, cards: [card - 1 for card in cards],
        games=500,
        seed=1,
        same_information=True,
    )


def test_poker_is_leduc_poker() -> None:
    compare(
        load_typed("poker"),
        pyspiel.load_game("leduc_poker", {"suit_isomorphism": True}),
        action=lambda state, text: ["fold", "call", "raise 1"].index(text),
        outcome=lambda state, cards: [card - 1 for card in cards],
        games=1000,
        seed=6,
        same_information=True,
    )


def test_liars_dice() -> None:
    def action(state: pyspiel.State, text: str) -> int:
        return by_text(state)["Liar" if text == "liar" else text.removeprefix("bid ").replace(" ", "-")]

    compare(
        load_typed("liars_dice"),
        pyspiel.load_game("liars_dice"),
        action=action,
        outcome=lambda state, faces: [face - 1 for face in faces],
        games=300,
        seed=5,
        same_information=True,
    )


def test_phantom_tic_tac_toe() -> None:
    compare(
        load_typed("phantom_tic_tac_toe"),
        pyspiel.load_game("phantom_ttt"),
        action=lambda state, text: (3 - int(text[1])) * 3 + ord(text[0]) - ord("a"),
        games=400,
        seed=9,
        same_information=True,
    )


def test_sealed_auction() -> None:
    """Theirs lets the bidders choose one after the other; nobody sees the bids before, so it is the same game."""
    rng = random.Random(5)
    ours, theirs = load_typed("sealed_auction"), pyspiel.load_game("first_sealed_auction", {"players": 5})
    for _ in range(200):
        play, state = Ours(ours), theirs.new_initial_state()
        worth = tuple(rng.randint(1, 10) for _ in range(5))
        for value in worth:
            state.apply_action(value)
        play.apply(worth)
        bids = {}
        for player in range(5):
            legal = play.legal(player)
            assert sorted(map(int, legal)) == state.legal_actions()
            bid = rng.choice(sorted(legal))
            bids[player] = legal[bid]
            state.apply_action(int(bid))
        play.apply(bids)
        chances = {codes[0]: chance for codes, chance in play.outcomes().items()}
        assert chances == pytest.approx(dict(state.chance_outcomes()))
        winner = rng.choice(sorted(play.outcomes()))
        play.apply(winner)
        state.apply_action(winner[0])
        assert list(play.utilities()) == pytest.approx(state.returns())
