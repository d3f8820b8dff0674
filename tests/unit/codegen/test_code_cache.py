"""The cache of compiled code: whole files or none, and never the reason why something fails."""

from __future__ import annotations

import logging
import multiprocessing
import sys
from pathlib import Path

import pytest

from ggp.cache import cache_root, read_whole, write_whole
from ggp.codegen.object_files import object_file
from ggp.rules_compiler.rules_backend import game_of_rules, rules_of
from tests.support import small_game
from tests.support.implementations import native_of


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE", str(tmp_path / "cache"))


def test_a_second_load_finds_the_code(tmp_path: Path) -> None:
    first, second = game_of_rules(small_game.GAME), game_of_rules(small_game.GAME)
    assert not rules_of(first).compilation.from_cache
    assert rules_of(second).compilation.from_cache
    assert native_of(first).initial() == native_of(second).initial() == rules_of(first).plain.initial()
    assert cache_root() == tmp_path / "cache"


@pytest.mark.parametrize("damage", [lambda code: code[:100], lambda code: b"", lambda code: code[:-1] + b"\0\0"])
def test_a_damaged_file_is_made_again(damage, caplog) -> None:
    game = game_of_rules(small_game.GAME)
    assert not rules_of(game).compilation.from_cache
    path = object_file("games", rules_of(game).entry.source_digest.encode())
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    again = game_of_rules(small_game.GAME)
    with caplog.at_level(logging.WARNING):
        assert not rules_of(again).compilation.from_cache
    assert "damaged" in caplog.text
    assert native_of(again).initial() == rules_of(again).plain.initial()
    assert rules_of(game_of_rules(small_game.GAME)).compilation.from_cache


def test_object_code_of_something_else_is_made_again() -> None:
    game = game_of_rules(small_game.GAME)
    write_whole(object_file("games", rules_of(game).entry.source_digest.encode()), b"no object code at all")
    assert not rules_of(game).compilation.from_cache
    assert native_of(game).initial() == rules_of(game).plain.initial()


def test_without_a_place_to_write_there_is_a_warning_and_nothing_else(tmp_path, monkeypatch, caplog) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GGP_CACHE", str(tmp_path / "file" / "below"))
    game = game_of_rules(small_game.GAME)
    with caplog.at_level(logging.WARNING):
        assert native_of(game).initial() == rules_of(game).plain.initial()
    assert "cannot keep anything" in caplog.text


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file"
    assert read_whole(path) is None
    write_whole(path, b"payload")
    assert read_whole(path) == b"payload"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def _compile_in_process(_: int) -> bool:
    game = game_of_rules(small_game.GAME)
    return native_of(game).initial() == rules_of(game).plain.initial()


@pytest.mark.long
def test_two_processes_at_once() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(_compile_in_process, range(4), chunksize=1) == [True] * 4


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the variable is of other systems")
@pytest.mark.parametrize(("given", "root"), [("", ".cache/ggp"), ("here", ".cache/ggp"), ("/cache", "/cache/ggp")])
def test_a_folder_that_is_none_is_not_used(given: str, root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GGP_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    assert cache_root() == Path.home() / root
