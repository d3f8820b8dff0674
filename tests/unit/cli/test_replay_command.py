import gzip
import json

import pytest
from click.testing import CliRunner

from ggp.cli.arguments import BadArgument
from ggp.cli.main import app
from ggp.protocol.messages import Ready
from server.matches.library_games import LibraryGames
from server.referee.game_interface import Player
from server.referee.journal import Begun, Received, Released, Stopped, encode_event
from server.referee.referee import Referee
from server.store import records
from server.store.store import Store
from tests.support.tiny_games import created


def aborted_match():
    """Return the journal of a match of goofspiel that was stopped before the first move."""
    games = LibraryGames()
    source = games.find("goofspiel", {"n": "3"})
    game = games.load(source)
    first = created(
        game, game="goofspiel", rules=source.rules, files=dict(source.files), parameters=dict(source.parameters)
    )
    referee = Referee(game, first, games.faults)
    events = [first, *referee.apply(Begun(0))]
    for player in (Player(0), Player(1)):
        events += referee.apply(Received(1, player, Ready("m1")))
    return [*events, *referee.apply(Stopped(2, "the rules took too long")), *referee.apply(Released(3))]


def run(*arguments):
    return CliRunner().invoke(app, ["replay", *map(str, arguments)])


def test_a_match_that_was_aborted_is_shown_with_the_reason(tmp_path):
    path = tmp_path / "match.jsonl"
    path.write_text("".join(encode_event(event) + "\n" for event in aborted_match()))
    shown = run(path, "--verify")
    assert shown.exit_code == 0
    assert "the match was aborted: the rules took too long\nverified" in shown.stdout
    assert json.loads(run(path, "--json").stdout)["reason"] == "the rules took too long"


def test_the_matches_of_a_store_are_listed_with_the_reason(tmp_path):
    events = aborted_match()
    store = Store(tmp_path / "store.sqlite")
    try:
        for name in ("a", "b"):
            store.submit(records.add_player, name, name, "now").result()
        store.submit(records.add_match, events[0], [1, 2], "group", records.MatchPlace(), "now").result()
        store.submit(records.add_results, "m1", events, [1, 2], "now").result()
    finally:
        store.close()
    assert run(store.path).stdout == "m1  goofspiel  a, b  (aborted: the rules took too long)\n"
    (facts,) = json.loads(run(store.path, "--json").stdout)
    assert (facts["result"], facts["reason"]) == ("aborted", "the rules took too long")


def test_a_file_that_is_no_journal_is_named(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a journal\n")
    failed = run(path).exception
    assert isinstance(failed, BadArgument)
    assert str(failed).startswith(f"`{path}`, line 1: ")


@pytest.mark.parametrize("damage", [lambda packed: packed[:200], lambda packed: b"milk", lambda packed: packed[:9] * 2])
def test_a_damaged_archive_is_told_in_one_line(tmp_path, damage):
    path = tmp_path / "m1.jsonl.gz"
    lines = "".join(encode_event(event) + "\n" for event in aborted_match())
    packed = gzip.compress(lines.encode())
    path.write_bytes(packed)
    assert run(path).exit_code == 0
    path.write_bytes(damage(packed))
    failed = run(path).exception
    assert isinstance(failed, BadArgument)
    assert str(path) in str(failed)
