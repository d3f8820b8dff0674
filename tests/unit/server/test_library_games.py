import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ggp.language.library import RulesNotFound
from server.matches import library_games
from server.matches.games import GameSource
from server.matches.library_games import LibraryGames
from tests.support.hostile_rules import tar_pit


def test_games_are_found_by_name_and_offered_paths_only(tmp_path):
    path = tmp_path / "mine.rules"
    path.write_text(
        'game mine "One chooses"\nplayers a\nphase go\n    a chooses x in 1..2\n    next end\npayoff[p] = 0\n'
    )
    with pytest.raises(RulesNotFound):
        LibraryGames().find(str(path), {})
    games = LibraryGames([str(path)])
    assert games.load(games.find(str(path), {})).players == ("a",)
    source = LibraryGames().find("goofspiel", {"n": "3"})
    assert source.parameters["n"] == "3"
    assert LibraryGames().load(source).players == ("row", "col")


@pytest.mark.long
def test_games_are_quick_whose_rules_leave_no_room_for_a_long_transition():
    games = LibraryGames()
    quick = [name for name in ("goofspiel", "phantom_tic_tac_toe", "go") if games.is_quick(load(games, name))]
    assert quick == ["goofspiel", "phantom_tic_tac_toe", "go"]
    for name in ("chess", "sealed_auction"):  # much to try for each move; much to draw from
        assert not games.is_quick(load(games, name))
    long = GameSource("tar_pit", tar_pit())
    assert not games.is_quick(games.load(long))


def load(games, name):
    return games.load(games.find(name, {}))


class Hesitant(dict):
    """Lets other threads go on between saying what is first and that being removed."""

    def __iter__(self):
        first = list(super().__iter__())
        time.sleep(0.002)
        return iter(first)


def test_threads_that_find_games_do_not_meet_in_what_is_kept(monkeypatch):
    monkeypatch.setattr(library_games, "MAX_FOUND", 1)
    games = LibraryGames()
    games._found = Hesitant()
    monkeypatch.setattr(games, "_read", lambda game, parameters: GameSource(game, parameters["n"]))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda n: games.find("goofspiel", {"n": str(n)}), range(40)))
    assert [source.rules for source in found] == [str(n) for n in range(40)]
