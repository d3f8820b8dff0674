"""What a page considers possible where too much is hidden to follow all of it: a sample that is not one-sided."""

from __future__ import annotations

import ggp
from tests.support.page_plays import data_of, needs_node, random_play, run_script

RULES = """game tricks "Cards are dealt one by one, and played to see who had them"
players north, east, south, west
type suit = {clubs, diamonds, hearts, spades}
type rank = {nine, ten, jack, queen, king, ace}
type card = rank of suit
state
    hand[player]: set of card = {}
    deck: set of card = all
    turn: player = north
    points[player]: 0..30 = 0
phase deal
    chance draws c in deck
    hand[turn] := hand[turn] + {c}
    deck := deck - {c}
    turn := after(turn)
    sees turn: c
    next play if deck == {} else deal
phase play
    turn chooses c in hand[turn]
    hand[turn] := hand[turn] - {c}
    points[turn] := points[turn] + c.rank.number - 1
    turn := after(turn)
    next play if hand[turn] != {} else end
payoff[p] = points[p]
"""
DEALT, ENOUGH = 24, 30


@needs_node
def test_a_sample_has_in_common_what_is_known_and_no_more() -> None:
    game = ggp.load_text(RULES)
    play, states = random_play(game, "a deal", DEALT + 9)
    rows = [[str(one) for one in joint] for joint in play]
    found = run_script("page_beliefs.ts", {**data_of(game), "play": rows, "role": 0})
    for at in range(DEALT - 1, len(play)):
        truth = states[at + 1].values()
        held = [game.codec.values(words) for words in {tuple(map(int, words)) for words in found[at]["states"]}]
        assert len(held) >= ENOUGH, at
        for values in held:
            assert values["hand"][0] == truth["hand"][0]
            assert values["points"] == truth["points"]
            assert sorted(map(len, values["hand"])) == sorted(map(len, truth["hand"]))
        for other in (1, 2, 3):
            certain = frozenset.intersection(*(values["hand"][other] for values in held))
            assert not certain, f"after {at + 1} transitions a card of {game.players[other]} is taken for known"
