"""`ggp games`: which games it finds, and what it says of them."""

from __future__ import annotations

import json

from click.testing import CliRunner

import ggp
from ggp.cli.main import app


def listed(*words: str) -> dict[str, list[str]]:
    result = CliRunner().invoke(app, ["games", *words, "--json"])
    assert result.exit_code == 0, result.output
    return {one["name"]: one["traits"] for one in json.loads(result.output)}


def test_games_are_found_by_other_names_with_traits_named_as_in_check() -> None:
    (name, traits), *_ = listed("merels").items()
    assert (name, traits) == ("nine_mens_morris", ["sequential", "perfect information", "zero-sum"])
    checked = CliRunner().invoke(app, ["check", "nine_mens_morris", "--games", "0", "--json"])
    assert json.loads(checked.output)["traits"] == ["2 players", *traits]


def test_the_version_is_that_of_the_package() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"ggp {ggp.__version__}\n")
