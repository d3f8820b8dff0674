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


SHEDDING = """game shedding "Hands dealt at once, and cards that match the last one are played"
players north, east, south, west
type suit = {clubs, diamonds, hearts, spades}
type rank = {two, three, four, five, six, seven, eight, nine, ten, jack, queen, king, ace}
type card = rank of suit
state
    stock: set of card = all
    hand[player]: set of card = {}
    top: card or none = none
    turn: player = north
    dealt: 0..4 = 0
    steps: 0..60 = 0
let fits = {c in hand[turn]: top is none or c.suit == top.suit or c.rank == top.rank}
phase deal
    chance draws cs in 4 of stock
    stock := stock - cs
    hand[turn] := cs
    dealt := dealt + 1
    sees turn: cs
    turn := after(turn)
    next act if dealt == 4 else deal
phase act
    turn chooses
        play by c in fits
        draw                                               where fits == {}
    on play:
        hand[turn] := hand[turn] - {c}
        top := c
        turn := after(turn)
        sees all: turn, move
        next end if hand[old turn] == {} or steps == 60 else act
    on draw:
        sees all: turn, move
        next take
    steps := steps + 1
phase take
    chance draws c in stock
    stock := stock - {c}
    hand[turn] := hand[turn] + {c}
    sees turn: c
    turn := after(turn)
    next end if steps == 60 else act
payoff[p] = if hand[p] == {} then 3 else -1
"""


@needs_node
def test_hands_dealt_at_once_are_found_and_no_hidden_card_is_taken_for_known() -> None:
    # 270,725 hands: none of some drawn at random is the one that was told
    game = ggp.load_text(SHEDDING)
    play, states = random_play(game, "two", 16)
    rows, role = [[str(one) for one in joint] for joint in play], 1
    compared = [15]
    found = run_script("page_beliefs.ts", {**data_of(game), "play": rows, "role": role, "compared": compared})
    for at in compared:
        truth = states[at + 1].values()
        held = [game.codec.values(words) for words in {tuple(map(int, words)) for words in found[at]["states"]}]
        assert len(held) >= 4 * ENOUGH, at
        assert all(values["hand"][role] == truth["hand"][role] for values in held)
        certain = frozenset.intersection(*(values["stock"] for values in held))
        assert certain <= truth["stock"], f"after {at + 1} transitions a card is taken to be in the stock"
