import pytest

from ggp.language.library import RulesNotFound
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
