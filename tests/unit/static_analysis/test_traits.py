"""Traits that the rules of the small game show, and those of variations of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import ggp
from ggp.language import typed
from ggp.language.text.source import Span
from ggp.static_analysis.traits import (
    has_chance,
    has_simultaneous_actions,
    is_of_perfect_information,
    sees_listings,
    source_of,
    static_traits,
    untold_draws,
)
from tests.support.library import typed_game
from tests.support.small_game import BID, DEAL, GAME, TALK, varied

DEALT, BIDDEN, TALKED = ("sees one: a", "sees each w: b[w]", "on raise: sees two: move")
HALF_BIDDEN = ('    sees all: "bid made" if b[one] == 2\n', "")
OPEN = {DEALT: "sees all: a", BIDDEN: "sees all: b[one], b[two]", TALKED: "sees all: move"}


def with_sees(told: str, *statements: str, alone: bool = False) -> typed.Game:
    """Return the game in which all is told to all, but for one transition, after which something else is."""
    lines = {**OPEN, told: "\n    ".join(statements)}
    return varied(HALF_BIDDEN, *lines.items(), *([("turn chooses", "two chooses")] if alone else []))


def test_traits_of_the_small_game() -> None:
    assert static_traits(GAME) == ("simultaneous", "chance", "hidden information")
    assert has_chance(GAME)
    assert not has_chance(replace(GAME, phases=(BID, TALK)))
    assert has_simultaneous_actions(GAME)
    assert not has_simultaneous_actions(replace(GAME, phases=(DEAL, TALK)))


def test_all_told_to_all_is_perfect_information() -> None:
    assert is_of_perfect_information(with_sees(DEALT, "sees all: a"))


@pytest.mark.parametrize(
    "statement", ["sees nothing", "sees one: a", "sees all: a if a > 1", "sees all: a if no", "sees all: 1"]
)
def test_a_draw_that_somebody_may_miss_is_hidden(statement: str) -> None:
    assert not is_of_perfect_information(with_sees(DEALT, statement))


OPEN_HANDS = """game open "Hands on the table"
players a, b
type card = 1..52
state
    hand[player]: set of card = {}
phase deal
    chance deals h[p in player] in 3 of card
    hand[p] := h[p]  for p in player
    next go
phase go
    a chooses c in hand[a]
    next end
payoff[p] = 0
"""


def test_hands_that_are_dealt_open_card_by_card_hide_nothing() -> None:
    game = typed_game(OPEN_HANDS)
    assert len(game.phases) > 2
    assert static_traits(game) == ("sequential", "chance", "perfect information")
    assert not untold_draws(game)
    hidden = typed_game(OPEN_HANDS.replace("    next go", "    sees each p: h[p]\n    next go"))
    assert static_traits(hidden)[2] == "hidden information"


def test_each_kind_of_action_has_to_be_told() -> None:
    assert not is_of_perfect_information(with_sees(TALKED, "on raise: sees all: k"))
    assert not is_of_perfect_information(with_sees(TALKED, "on raise: sees all: 1", "on fold: sees all: 1"))
    assert is_of_perfect_information(with_sees(TALKED, "on raise: sees all: k", "on fold: sees all: 1"))


def test_who_alone_may_act_knows_its_own_action() -> None:
    assert not is_of_perfect_information(with_sees(TALKED, "sees one: move"))
    assert is_of_perfect_information(with_sees(TALKED, "sees one: move", alone=True))


@pytest.mark.parametrize(
    ("name", "revealed"),
    [
        ("phantom_tic_tac_toe", {"place": (False, False)}),
        ("stratego", {"place": (False, False), "move": (True, True)}),
        ("poker", {"deal": (False, False), "bet": (True, True), "flop": (True, True)}),
        ("visibility_pursuit", {"place_left": (True, False), "move": (False, False)}),
    ],
)
def test_actions_are_revealed_by_what_a_player_is_always_told(name: str, revealed: dict[str, tuple[bool, ...]]) -> None:
    game = ggp.load(name)
    found = {game.codec.phase_name(phase): told for phase, told in enumerate(game.revealed_actions)}
    assert revealed.items() <= found.items()


def test_listings_say_who_sees_what_when() -> None:
    game = varied((DEALT, "sees all: a if  a > 1 \n    sees one: a if no"))
    (listing,) = sees_listings(game, game.phases[0])
    assert (listing.audience, listing.values, listing.condition) == ("all", ("a",), "a > 1")
    (other,) = sees_listings(GAME, DEAL)
    assert (other.audience, other.condition) == ("one", None)


def test_source_of_several_lines_is_one_line() -> None:
    game = replace(GAME, source_text="turn chooses\n    fold  # gives up\n    call # x\nrest")
    assert source_of(game, Span(1, 6, 3, 9)) == "chooses fold call"


def test_only_newlines_end_lines() -> None:
    game = replace(GAME, source_text="# a\N{LINE SEPARATOR}b\f\v\N{NEXT LINE}\nturn chooses")
    assert source_of(game, Span(2, 6, 2, 13)) == "chooses"
