"""`ggp tournament`: pairings, reproducible results, and continued records."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

import ggp.cli.playing
from ggp.cli.arguments import BadArgument
from ggp.cli.main import app
from ggp.cli.tournament_results import print_facts
from ggp.competition.run_store import RecordUnusable, read_run
from ggp.errors import GgpError
from players.evaluation.matches import GameResult
from players.player_options import NotApplicable
from tests.support import command_line

run, facts = partial(command_line.run, "tournament"), partial(command_line.told, "tournament")

SMALL = ["goofspiel", "--players", "rm", "duct", "random", "-p", "n=3", "--games", "4", "--iterations", "30"]


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


@pytest.mark.long
def test_processes_and_orders_of_arguments_change_nothing() -> None:
    alone = facts(*SMALL, "--jobs", "1", "--seed", "5")
    assert facts(*SMALL, "--jobs", "2", "--seed", "5") == alone
    assert facts(*SMALL[1:], "--seed", "5", "--jobs", "1", "goofspiel") == alone
    assert facts(*SMALL, "--jobs", "1", "--seed", "6") != alone


def test_players_after_an_equals_sign() -> None:
    assert facts(SMALL[0], "--players=rm", *SMALL[3:], "--jobs", "1") == facts(*SMALL, "--jobs", "1")


def test_a_rating_of_nought_has_no_sign(capsys: pytest.CaptureFixture[str]) -> None:
    print_facts({"table": [], "ratings": [{"player": "rm", "rating": -0.2, "low": -7.4, "high": -0.4}]})
    assert capsys.readouterr().out.splitlines()[-1].split() == ["rm", "0", "-7", "to", "0"]


def test_games_are_rounded_up_to_whole_seatings() -> None:
    three = ["kuhn_poker_three", "--players", "random", "--iterations", "1", "--games", "4", "--jobs", "1"]
    with pytest.raises(BadArgument, match="3 roles, and 1 player takes part"):
        run(*three)
    found = facts("goofspiel", "--players", "random", "duct", "--iterations", "2", "--games", "3", "--jobs", "1")
    assert found["table"][0]["games"] == 4


def test_an_interrupted_run_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "record.sqlite"
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
    assert len(read_run(store, "tournament")[1]) == 3  # batches of two games
    so_far = facts("--store", str(store))
    assert sum(row["games"] for row in so_far["table"]) == 6
    assert {row["player"] for row in so_far["ratings"]} == {row["player"] for row in whole["ratings"]}

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
    assert facts("--store", str(store)) == whole


def test_a_record_grows_with_the_number_of_games(tmp_path: Path) -> None:
    store = str(tmp_path / "record.sqlite")
    facts(*SMALL, "--jobs", "1", "--store", store)
    more = [*SMALL[:-3], "6", *SMALL[-2:]]
    assert facts(*more, "--jobs", "1", "--store", store) == facts(*more, "--jobs", "1")


def test_a_record_of_another_tournament_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "record.sqlite"
    facts(*SMALL, "--jobs", "1", "--store", str(store))
    kept = store.read_bytes()
    with pytest.raises(RecordUnusable, match="with seed 0 instead of 9"):
        facts(*SMALL, "--jobs", "1", "--store", str(store), "--seed", "9")
    assert store.read_bytes() == kept
    store.write_text("a shopping list\n")
    for words in (SMALL, []):
        with pytest.raises(RecordUnusable, match=r"is not the record of a run|file is not a database"):
            facts(*words, *(["--jobs", "1"] if words else []), "--store", str(store))


def test_a_damaged_record_is_told_with_its_number(tmp_path: Path) -> None:
    store = tmp_path / "record.sqlite"
    facts(*SMALL, "--jobs", "1", "--store", str(store))
    for wrong in ('{"game": 0, "players": [0, 1], "results": [{"number": 0}]}', '{"game": 0, "players": [1, 0]}'):
        with sqlite3.connect(store) as connection:
            connection.execute("update records set record = ? where number = 2", (wrong,))
        connection.close()
        with pytest.raises(RecordUnusable, match=r"record\.sqlite, record 2, is not the result of a game"):
            facts(*SMALL, "--jobs", "1", "--store", str(store))
        with pytest.raises(RecordUnusable, match="damaged"):
            facts("--store", str(store))


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
