"""Library games are found by the names that people type."""

from __future__ import annotations

import pytest

from ggp.language import library_names
from ggp.language.library import RulesNotFound, find_games, load_rules


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("leduc", "poker"),
        ("Leduc Poker", "poker"),
        ("go", "go"),
        ("tictactoe", "tic_tac_toe"),
        ("Tic-Tac-Toe", "tic_tac_toe"),
        ("Connect 4", "connect_four"),
        ("connect-four", "connect_four"),
        ("othello", "reversi"),
        ("mancala", "kalah"),
        ("merels", "nine_mens_morris"),
        ("draughts", "checkers"),
        ("hidden goofspiel", "goofspiel"),
        ("superko", "go"),
        ("liar's dice", "liars_dice"),
        ("emile borel", "blotto"),
        ("battleships", "battleship"),
        ("lanctot goofspiel", "goofspiel"),
    ],
)
def test_found_first(text: str, first: str) -> None:
    assert find_games(text)[0] == first


def test_every_word_has_to_fit() -> None:
    assert {"chess", "los_alamos"} <= set(find_games("chess"))
    assert "go" not in find_games("chess")
    assert find_games("leduc chess") == ()


def test_short_words_are_whole_words() -> None:
    assert "goofspiel" not in find_games("go")


def test_without_words_all_games_are_found() -> None:
    assert find_games("") == find_games(" - ") == library_names()


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("leduc", "did you mean `poker`?"),
        ("ches", "did you mean `chess`?"),
        ("connect4", "did you mean `connect_four`?"),
        ("no such", "`ggp games` lists the library"),
    ],
)
def test_who_asks_for_a_game_by_another_name_is_told_its_name_here(name: str, hint: str) -> None:
    with pytest.raises(RulesNotFound) as raised:
        load_rules(name)
    assert raised.value.hint == hint
