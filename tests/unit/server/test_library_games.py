import pickle
import sys
import threading

import pytest

from ggp.language.library import RulesNotFound
from server import library_games
from server.games import GameSource
from server.library_games import LibraryGames


def test_games_are_found_by_name_and_offered_paths_only(tmp_path):
    path = tmp_path / "mine.rules"
    path.write_text(
        'game mine "One chooses"\nplayers a\nphase go\n    a chooses x in 1..2\n    next end\npayoff[p] = 0\n'
    )
    with pytest.raises(RulesNotFound):
        LibraryGames().find(str(path), {})
    for games in (LibraryGames([str(path)]), pickle.loads(pickle.dumps(LibraryGames([str(path)])))):
        assert games.load(games.find(str(path), {})).players == ("a",)
    source = LibraryGames().find("goofspiel", {"n": "3"})
    assert source.parameters["n"] == "3"
    assert LibraryGames().load(source).players == ("row", "col")


def test_threads_that_find_games_do_not_meet_in_what_is_kept(monkeypatch):
    monkeypatch.setattr(library_games, "MAX_FOUND", 1)
    games = LibraryGames()
    monkeypatch.setattr(games, "_read", lambda game, parameters: GameSource(game, str(parameters["n"])))
    failures = []

    def find_all():
        try:
            for n in range(3000):
                assert games.find("goofspiel", {"n": str(n)}).rules == str(n)
        except (KeyError, RuntimeError) as error:
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=find_all) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures
