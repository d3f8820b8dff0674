"""Stores of matches: continued runs, refused ones, a full disk, two runs at once."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path

import pytest

import ggp.cli.playing
from ggp.competition.run_store import RecordUnusable, RunStore, read_run
from tests.support import command_line
from tests.support.full_disk import files_no_longer_than

ROOT = Path(__file__).parents[3]
run, facts = partial(command_line.run, "match"), partial(command_line.told, "match")

SMALL = ["goofspiel", "rm", "duct", "-p", "n=3", "--games", "6", "--iterations", "30", "--swap", "--jobs", "1"]


def test_a_store_has_what_was_asked_for_and_every_game(tmp_path: Path) -> None:
    store = tmp_path / "match.sqlite"
    assert facts(*SMALL, "--store", str(store)) == facts(*SMALL)
    plan, records = read_run(store, "match")
    assert plan["players"] == ["rm", "duct"]
    assert [number for number, _ in records] == list(range(1, 7))
    assert [game["number"] for _, game in records] == list(range(6))
    assert [game["seats"] for _, game in records] == [[0, 1], [1, 0]] * 3


def test_a_match_goes_on_from_what_its_store_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "match.sqlite"
    whole = facts(*SMALL, "--store", str(store))
    before = read_run(store, "match")
    with sqlite3.connect(store) as connection:
        connection.execute("delete from records where number > 4")
    connection.close()
    played: list[int] = []
    play = ggp.cli.playing.play_parts

    def play_and_tell(plan, numbers):
        for results in play(plan, numbers):
            played.extend(result.number for result in results)
            yield results

    monkeypatch.setattr(ggp.cli.playing, "play_parts", play_and_tell)
    assert facts(*SMALL, "--store", str(store)) == whole
    assert played == [4, 5]
    assert read_run(store, "match") == before


def test_a_record_grows_and_more_games_than_wanted_do_no_harm(tmp_path: Path) -> None:
    store = str(tmp_path / "match.sqlite")
    more = ["10" if word == "6" else word for word in SMALL]
    facts(*SMALL, "--store", store)
    assert facts(*more, "--store", store) == facts(*more)
    assert facts(*SMALL, "--store", store) == facts(*SMALL)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (["--seed", "9"], "seed 0 instead of 9;"),
        (["--iterations", "31"], 'thinking .*"iterations": 30. instead of .*31'),
        (["-p", "lowest=0"], "parameters .* instead of .*lowest"),
    ],
)
def test_another_match_is_refused(tmp_path: Path, changed: list[str], told: str) -> None:
    store = tmp_path / "match.sqlite"
    facts(*SMALL, "--store", str(store))
    kept = store.read_bytes()
    with pytest.raises(RecordUnusable, match=f"another match, with {told}"):
        facts(*SMALL, *changed, "--store", str(store))
    others = {
        "players": ["oos" if word == "duct" else word for word in SMALL],
        "swap": [word for word in SMALL if word != "--swap"],
    }
    for differs, arguments in others.items():
        with pytest.raises(RecordUnusable, match=f"another match, with {differs} .* instead of "):
            facts(*arguments, "--store", str(store))
    assert store.read_bytes() == kept


def test_a_record_that_is_no_result_is_named(tmp_path: Path) -> None:
    store = tmp_path / "match.sqlite"
    facts(*SMALL, "--store", str(store))
    with sqlite3.connect(store) as connection:
        connection.execute("""update records set record = replace(record, '"utilities"', '"milk"')""")
    connection.close()
    with pytest.raises(
        RecordUnusable,
        match=r"match.sqlite, record 1, is not the result of a game: Object missing required field `utilities`",
    ):
        facts(*SMALL, "--store", str(store))


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/full", "/tmp"])
def test_what_is_no_file_is_refused(device: str) -> None:
    """Reading some of them has no end."""
    with pytest.raises(RecordUnusable, match="is not a regular file"):
        facts(*SMALL, "--store", device)


def test_other_rules_of_the_same_name_are_refused(tmp_path: Path) -> None:
    rules, store = tmp_path / "mine.rules", tmp_path / "match.sqlite"
    text = (ROOT / "docs/examples/undercut.rules").read_text()
    rules.write_text(text)
    arguments = [str(rules), "random", "random", "--games", "2", "--iterations", "1", "--store", str(store)]
    facts(*arguments)
    rules.write_text(text + "\n# another thought\n")
    with pytest.raises(RecordUnusable, match="another match, with other rules;"):
        facts(*arguments)


@pytest.mark.parametrize("content", ["milk", "a shopping list\n", '{"milk": 2}\n', "[]\n"])
def test_what_is_no_record_is_left_alone(tmp_path: Path, content: str) -> None:
    store = tmp_path / "list.txt"
    store.write_text(content)
    with pytest.raises(RecordUnusable, match=r"not the record of a run"):
        facts(*SMALL, "--store", str(store))
    assert store.read_text() == content


def test_a_match_is_no_tournament(tmp_path: Path) -> None:
    store = tmp_path / "match.sqlite"
    facts(*SMALL, "--store", str(store))
    with pytest.raises(RecordUnusable, match="not the record of a tournament"):
        RunStore(store, "tournament", {})


def test_a_full_disk_is_told_and_what_is_on_it_is_kept(tmp_path: Path) -> None:
    store = tmp_path / "match.sqlite"
    whole = facts(*SMALL)
    with (
        pytest.raises(RecordUnusable, match=r"cannot write .*the same command continues"),
        files_no_longer_than(34_000),
    ):
        facts(*SMALL, "--store", str(store))
    kept = read_run(store, "match")[1]
    assert 0 < len(kept) < 6
    assert facts(*SMALL, "--store", str(store)) == whole
    assert read_run(store, "match")[1][: len(kept)] == kept


def test_a_store_is_read_while_a_run_adds_to_it(tmp_path: Path) -> None:
    store = tmp_path / "match.sqlite"
    with RunStore(store, "match", {"seed": 1}) as run:
        run.append({"number": 0}, {"number": 1})
        assert read_run(store, "match") == ({"seed": 1}, [(1, {"number": 0}), (2, {"number": 1})])


def test_two_runs_do_not_write_to_one_record(tmp_path: Path) -> None:
    store = tmp_path / "match.sqlite"
    with (
        RunStore(store, "match", {"seed": 1}),
        pytest.raises(RecordUnusable, match="in use by another run"),
    ):
        RunStore(store, "match", {"seed": 1})
    with RunStore(store, "match", {"seed": 1}) as again:
        assert again.records == []


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordUnusable, match=r"cannot open .*: No such file or directory"):
        facts(*SMALL, "--store", str(tmp_path / "nowhere" / "match.sqlite"))
