"""What is kept of generated code: a game that was compiled before is loaded without generating its code again."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import ggp
from ggp.rules_compiler import code_index
from ggp.rules_compiler.code_index import GENERATOR_ROOMS, entry_file, read_entry
from ggp.rules_compiler.plain_module import PlainGame
from ggp.rules_compiler.rules_backend import game_of_rules, rules_of
from tests.support import small_game


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE", str(tmp_path / "cache"))


def test_a_game_that_was_compiled_is_played_without_generating_its_code(monkeypatch) -> None:
    first = game_of_rules(small_game.GAME)
    faults = first.native().faults
    assert rules_of(first).batch_machine is not None
    texts = rules_of(first).fault(1), len(rules_of(first).plain.sites)

    def fail(*_: object) -> None:
        raise AssertionError("generated again")

    with monkeypatch.context() as patch:
        patch.setattr(PlainGame, "__init__", fail)
        patch.setattr("ggp.rules_compiler.entry_points.batch_entries.generate_for_batches", fail)
        second = game_of_rules(small_game.GAME)
        assert second.native().faults == faults
        assert len(faults) > 0
        assert second.native().functions != first.native().functions
        assert second.initial().words == first.initial().words
        assert rules_of(second).batch_machine[0].step != 0
    assert str(rules_of(second).fault(1)) == str(texts[0])
    assert len(rules_of(second).plain.sites) == texts[1]


def test_a_game_is_known_by_its_whole_tree() -> None:
    phase = small_game.GAME.phases[0]
    moved = replace(phase, span=replace(phase.span, line=77))
    other = replace(small_game.GAME, phases=(moved, *small_game.GAME.phases[1:]))
    assert entry_file(small_game.GAME, "game") == entry_file(small_game.GAME, "game")
    assert len({entry_file(small_game.GAME, "game"), entry_file(other, "game"), entry_file(other, "batches")}) == 3


def test_a_game_that_was_only_loaded_has_no_entry() -> None:
    game = game_of_rules(small_game.GAME)
    path = entry_file(small_game.GAME, "game")
    assert read_entry(path) is None
    assert rules_of(game).compilation is not None
    assert read_entry(path) == rules_of(game).entry


def test_a_change_of_the_generator_makes_other_entries(monkeypatch) -> None:
    before = entry_file(small_game.GAME, "game")
    monkeypatch.setattr(code_index, "_generator_digest", lambda: b"changed")
    assert entry_file(small_game.GAME, "game") != before


def test_the_generator_imports_nothing_that_its_digest_leaves_out() -> None:
    folder = Path(ggp.__file__).parent
    covered = (*GENERATOR_ROOMS, "faults")
    imported = {
        node.module.split(".")[1]
        for room in GENERATOR_ROOMS
        for path in (folder / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("ggp.")
    }
    # What a game offers to Python, the interpreter, and bounds of the length of plays write no code.
    assert imported - set(covered) <= {"cache", "display", "errors", "game", "interpreter", "linear_programs", "scene"}


def test_the_generator_is_not_imported_where_all_of_a_game_is_in_the_cache() -> None:
    code = (
        "import ggp, sys; game = ggp.load('nim'); game.native(); game.batch(2).step([0, 0]);"
        "rooms = ('emit', 'rewrite', 'entry_points');"
        "print(*[name for name in sys.modules if name.startswith('ggp.codegen.llvm') or name.split('.')[-1] in rooms])"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(2)]
    assert "ggp.rules_compiler.emit" in runs[0].stdout
    assert runs[1].stdout.split() == []
