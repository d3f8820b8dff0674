"""Traits that the rules of the small game show, and those of variations of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import ggp
from ggp.language import typed
from ggp.language.text.source import Span
from ggp.language.typed.types import BOOL, MoveType
from ggp.static_analysis.traits import (
    has_chance,
    has_simultaneous_actions,
    is_of_perfect_information,
    sees_listings,
    source_of,
    static_traits,
)
from tests.support.small_game import ALL, BID, DEAL, GAME, PLAYERS, SPAN, TALK, A, B, K, const, local, sees

MOVE = typed.MoveRead(None, MoveType("talk"), SPAN)
OPEN = (
    replace(DEAL, sees=(sees(ALL, local(A)),)),
    replace(BID, sees=(sees(ALL, local(B)),)),
    replace(TALK, sees=(sees(ALL, MOVE),)),
)


def with_sees(place: int, *statements: typed.Sees) -> typed.Game:
    phases = list(OPEN)
    phases[place] = replace(phases[place], sees=statements)
    return replace(GAME, phases=tuple(phases))


def test_traits_of_the_small_game() -> None:
    assert static_traits(GAME) == ("simultaneous", "chance", "hidden information")
    assert has_chance(GAME)
    assert not has_chance(replace(GAME, phases=(BID, TALK)))
    assert has_simultaneous_actions(GAME)
    assert not has_simultaneous_actions(replace(GAME, phases=(DEAL, TALK)))


def test_all_told_to_all_is_perfect_information() -> None:
    assert is_of_perfect_information(replace(GAME, phases=OPEN))


@pytest.mark.parametrize(
    "statements",
    [
        (),
        (sees(const(frozenset({0}), PLAYERS), local(A)),),
        (sees(ALL, local(A), condition=local(A)),),
        (sees(ALL, local(A), condition=const(0, BOOL)),),
        (sees(ALL, const(1)),),
    ],
)
def test_a_draw_that_somebody_may_miss_is_hidden(statements: tuple[typed.Sees, ...]) -> None:
    assert not is_of_perfect_information(with_sees(0, *statements))


def test_each_kind_of_action_has_to_be_told() -> None:
    assert not is_of_perfect_information(with_sees(2, sees(ALL, local(K), kind="raise")))
    assert not is_of_perfect_information(with_sees(2, sees(ALL, const(1), kind="raise"), sees(ALL, kind="fold")))
    assert is_of_perfect_information(with_sees(2, sees(ALL, local(K), kind="raise"), sees(ALL, kind="fold")))


def test_who_alone_may_act_knows_its_own_action() -> None:
    alone = replace(TALK.choosers[0], actor=const(1))
    told_one = sees(const(frozenset({0}), PLAYERS), MOVE)
    game = with_sees(2, told_one)
    assert not is_of_perfect_information(game)
    phases = (*game.phases[:2], replace(game.phases[2], choosers=(alone,)))
    assert is_of_perfect_information(replace(game, phases=phases))


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
    game = replace(GAME, source_text="a\n  sees all: b if  big \n")
    condition = typed.Local(A, BOOL, Span(2, 19, 2, 22))
    phase = replace(DEAL, sees=(sees(ALL, local(A), condition=condition), sees(ALL, condition=const(0, BOOL))))
    (listing,) = sees_listings(game, phase)
    assert (listing.audience, listing.values, listing.condition) == ("all", ("?",), "big")
    (other,) = sees_listings(GAME, DEAL)
    assert (other.audience, other.condition) == ("one", None)


def test_source_of_several_lines_is_one_line() -> None:
    game = replace(GAME, source_text="turn chooses\n    fold  # gives up\n    call # x\nrest")
    assert source_of(game, Span(1, 6, 3, 9)) == "chooses fold call"


def test_only_newlines_end_lines() -> None:
    game = replace(GAME, source_text="# a\N{LINE SEPARATOR}b\f\v\N{NEXT LINE}\nturn chooses")
    assert source_of(game, Span(2, 6, 2, 13)) == "chooses"
