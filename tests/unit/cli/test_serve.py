"""`ggp serve`: whether the tournament in a store is the requested one."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ggp.cli.commands.serve import _is_tournament, _same, _settings
from server.competitions.settings import CompetitionSettings


def settings(game: str = "goofspiel", **changes: Any) -> CompetitionSettings:
    parameters = changes.pop("parameters", {"n": "5"})
    return _settings(game, parameters, **{"players": 2, "rounds": 1, "play_clock_ms": 100, **changes})


def test_the_seed_makes_no_other_tournament() -> None:
    assert _same(settings(), msgspec.structs.replace(settings(), seed="b"))


@pytest.mark.parametrize(
    "changed",
    [{"game": "tron", "parameters": {}}, {"parameters": {"n": "6"}}, {"rounds": 2}, {"players": 3}, {"strikes": 2}],
)
def test_what_differs_is_another_one(changed: dict[str, Any]) -> None:
    assert not _same(settings(), settings(**changed))


def test_a_manager_ends_with_its_own_tournament_only() -> None:
    assert _is_tournament(settings())
    assert not _is_tournament(msgspec.structs.replace(settings(), max_players=None))
    assert not _is_tournament(msgspec.structs.replace(settings(), entry="approval"))
