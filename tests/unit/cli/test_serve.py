"""`ggp serve`: whether the tournament in a store is the requested one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from ggp.cli.arguments import BadArgument
from ggp.cli.commands.serve import _is_tournament, _same, _settings
from ggp.cli.main import app
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


@pytest.mark.parametrize("options", [("-p", "n=5"), ("--seed", "a")])
def test_options_of_a_tournament_without_one_are_refused(options: tuple[str, str], tmp_path: Path) -> None:
    failed = CliRunner().invoke(app, ["serve", "--port", "0", "--store", str(tmp_path / "s"), *options]).exception
    assert isinstance(failed, BadArgument)
    assert "--tournament" in str(failed)
