"""`ggp serve`: what is said where the store has another tournament than the one asked for."""

from __future__ import annotations

import msgspec
import pytest

from ggp.cli.commands.serve import _told_going_on
from server.matches.round_robin import TournamentSettings

UNFINISHED = TournamentSettings(
    game="goofspiel",
    parameters={"n": "5"},
    players=2,
    rounds=1,
    start_clock_ms=1000,
    play_clock_ms=100,
    allowance_ms=50,
    seed="a",
)


def test_the_tournament_that_goes_on_is_named() -> None:
    for wanted in (None, UNFINISHED, msgspec.structs.replace(UNFINISHED, seed="b")):
        assert _told_going_on(UNFINISHED, wanted) == "going on with the tournament of goofspiel that was interrupted"


@pytest.mark.parametrize("changed", [{"game": "tron", "parameters": {}}, {"parameters": {"n": "6"}}, {"rounds": 2}])
def test_who_asked_for_another_one_is_told(changed: dict) -> None:
    told = _told_going_on(UNFINISHED, msgspec.structs.replace(UNFINISHED, **changed))
    assert "not with the one that was asked for: name another --store" in told
