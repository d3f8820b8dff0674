"""`ggp tournament`: who meets whom, the same results however they were come by, and records that are continued."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ggp.cli.playing
from ggp.cli.arguments import BadArgument
from ggp.cli.commands.tournament import _print
from ggp.cli.main import app
from ggp.cli.record_file import RecordUnusable
from ggp.errors import GgpError
from players.matches import GameResult
from players.player_options import NotApplicable

SMALL = ["goofspiel", "--players", "rm", "duct", "random", "-p", "n=3", "--games", "4", "--iterations", "30"]


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["tournament", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def facts(*arguments: str) -> dict:
    return json.loads(run(*arguments, "--json"))


def test_everybody_meets_everybody_and_is_rated() -> None:
    found = facts("goofspiel", "matching_pennies", *SMALL[1:], "--jobs", "1")
    assert list(found) == ["table", "ratings"]
    assert [(row["game"], row["players"]) for row in found["table"]] == [
        (game, pair)
        for game in ("goofspiel", "matching_pennies")
        for pair in (["rm", "duct"], ["rm", "random"], ["duct", "random"])
    ]
    for row in found["table"]:
        assert row["games"] == 4
        assert row["wins"][0] + row["wins"][1] + row["draws"][0] == 4
        assert sum(row["win_rate"]) == pytest.approx(1)
        assert row["mean_payoff"][0] == -row["mean_payoff"][1]
        assert row["payoff_ci95"][0] == pytest.approx(row["payoff_ci95"][1])
    ratings = [row["rating"] for row in found["ratings"]]
    assert sum(ratings) == pytest.approx(0, abs=1e-9)
    assert ratings == sorted(ratings, reverse=True)
    assert {row["player"] for row in found["ratings"]} == {"rm", "duct", "random"}


def test_processes_and_orders_of_arguments_change_nothing() -> None:
    alone = facts(*SMALL, "--jobs", "1", "--seed", "5")
    assert facts(*SMALL, "--jobs", "2", "--seed", "5") == alone
    assert facts(*SMALL[1:], "--seed", "5", "--jobs", "1", "goofspiel") == alone
    assert facts(*SMALL, "--jobs", "1", "--seed", "6") != alone


def test_players_after_an_equals_sign() -> None:
    assert facts(SMALL[0], "--players=rm", *SMALL[3:], "--jobs", "1") == facts(*SMALL, "--jobs", "1")


def test_a_rating_of_nought_has_no_sign(capsys: pytest.CaptureFixture[str]) -> None:
    _print({"table": [], "ratings": [{"player": "rm", "rating": -0.2, "low": -7.4, "high": -0.4}]})
    assert capsys.readouterr().out.splitlines()[-1].split() == ["rm", "0", "-7", "to", "0"]


def test_games_are_rounded_up_to_whole_seatings() -> None:
    three = ["kuhn_poker_three", "--players", "random", "--iterations", "1", "--games", "4", "--jobs", "1"]
    with pytest.raises(BadArgument, match="3 roles, and 1 player takes part"):
        run(*three)
    found = facts("goofspiel", "--players", "random", "duct", "--iterations", "2", "--games", "3", "--jobs", "1")
    assert found["table"][0]["games"] == 4


def test_an_interrupted_run_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "record.jsonl"
    whole = facts(*SMALL, "--jobs", "1")
    play, calls = ggp.cli.playing.play_parts, 0

    def play_and_stop(*arguments: object) -> Iterator[list[GameResult]]:
        nonlocal calls
        if calls == 3:
            raise KeyboardInterrupt
        calls += 1
        yield from play(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(ggp.cli.playing, "PART_S", 1000)  # batches come back whole, however slow the machine is
    monkeypatch.setattr(ggp.cli.playing, "play_parts", play_and_stop)
    assert CliRunner().invoke(app, ["tournament", *SMALL, "--jobs", "1", "--store", str(store)]).exit_code != 0
    assert len(store.read_bytes().splitlines()) == 4  # the heading, and three batches of two games
    # the machine went down in the middle of a line
    with open(store, "ab") as file:
        file.write(b'{"game": 0, "pla')

    calls = 100

    def count_calls(*arguments: object) -> Iterator[list[GameResult]]:
        nonlocal calls
        calls += 1
        yield from play(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(ggp.cli.playing, "play_parts", count_calls)
    assert facts(*SMALL, "--jobs", "1", "--store", str(store)) == whole
    assert calls == 103  # three of six batches were left
    assert facts(*SMALL, "--jobs", "1", "--store", str(store)) == whole
    assert calls == 103


def test_a_record_grows_with_the_number_of_games(tmp_path: Path) -> None:
    store = str(tmp_path / "record.jsonl")
    facts(*SMALL, "--jobs", "1", "--store", store)
    more = [*SMALL[:-3], "6", *SMALL[-2:]]
    assert facts(*more, "--jobs", "1", "--store", store) == facts(*more, "--jobs", "1")


def test_a_record_of_another_tournament_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "record.jsonl"
    facts(*SMALL, "--jobs", "1", "--store", str(store))
    kept = store.read_bytes()
    with pytest.raises(RecordUnusable, match="with seed 0 instead of 9"):
        facts(*SMALL, "--jobs", "1", "--store", str(store), "--seed", "9")
    assert store.read_bytes() == kept
    store.write_text("a shopping list\n")
    with pytest.raises(RecordUnusable, match=r"is not the record of a tournament"):
        facts(*SMALL, "--jobs", "1", "--store", str(store))
    store.write_text('{"milk": 2}\n')
    with pytest.raises(RecordUnusable, match="not the record of a tournament"):
        facts(*SMALL, "--jobs", "1", "--store", str(store))


def test_a_damaged_record_is_told_with_its_line(tmp_path: Path) -> None:
    store = tmp_path / "record.jsonl"
    facts(*SMALL, "--jobs", "1", "--store", str(store))
    lines = store.read_text().splitlines(keepends=True)
    for wrong in ('{"game": 0, "players": [0, 1], "results": [{"number": 0}]}\n', '{"game": 0, "players": [1, 0]}\n'):
        store.write_text("".join([*lines[:2], wrong, *lines[2:]]))
        with pytest.raises(RecordUnusable, match=r"record\.jsonl:3 is not the result of a game"):
            facts(*SMALL, "--jobs", "1", "--store", str(store))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (["goofspiel", "--players", "rm", "rm"], BadArgument, "named twice"),
        (["goofspiel", "goofspiel", "--players", "rm", "duct"], BadArgument, "named twice"),
        (["goofspiel", "--players", "rm", "duct", "-p", "m=3"], BadArgument, "none of the games has a parameter `m`"),
        (["goofspiel", "kuhn_poker", "--players", "rm", "duct"], NotApplicable, "perfect information only"),
        (["goofspiel", "--players", "rm", "dukt"], GgpError, "did you mean `duct`"),
        (["goofspiel", "--players", "rm", "duct", "--play-clock", "1", "--iterations", "2"], BadArgument, "not both"),
    ],
)
def test_mistakes_are_told_before_the_games(arguments: list[str], error: type[GgpError], message: str) -> None:
    with pytest.raises(error, match=message):
        run(*arguments)


def test_a_table_for_people() -> None:
    text = run(*SMALL, "--jobs", "1")
    assert "95 % interval" in text
    assert text.count("random") == 3
