"""The parser's tables on disk: found again, made again where they cannot be used, never the reason of a failure."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import lark
import pytest

from ggp.cache import read_whole
from ggp.language import SourceFile, parse
from ggp.language.text.grammar import grammar


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("GGP_CACHE", str(tmp_path / "cache"))
    grammar.cache_clear()
    yield tmp_path / "cache"
    grammar.cache_clear()


def reads() -> bool:
    tree, found = parse(SourceFile("g.rules", "players a, b\n"))
    return len(tree.declarations) == 1 and not found


def test_tables_are_made_once(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    assert reads()
    assert len(list(folder.iterdir())) == 1
    grammar.cache_clear()
    monkeypatch.setattr(lark, "Lark", type("Loaded", (), {"load": lark.Lark.load}))
    assert reads()


@pytest.mark.sweep
@pytest.mark.parametrize("damage", [lambda whole: whole[:1000], lambda _: b"", lambda whole: whole[:-1] + b"?"])
def test_damaged_tables_are_made_again(damage, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert reads()
    (path,) = folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    grammar.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert reads()
    assert "damaged" in caplog.text
    assert read_whole(path) is not None


def test_tables_of_somebody_else_are_not_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert reads()
    grammar.cache_clear()
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with caplog.at_level(logging.WARNING):
        assert reads()
    assert "belongs to another user" in caplog.text


def test_without_a_place_to_write_there_is_a_warning_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GGP_CACHE", str(tmp_path / "file" / "below"))
    with caplog.at_level(logging.WARNING):
        assert reads()
    assert "cannot keep anything" in caplog.text
