"""What a page shows each role, and what its search plays: compared with the studio and with what is known of games."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import ggp
from ggp.game.game import Game
from ggp.scene.scene import Scene
from studio.table import Table
from tests.support.page_plays import data_of, needs_node, run_script, without_letters

pytestmark = needs_node
LONGEST = 24


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["kuhn_poker_three", "goofspiel", "hanabi", "poker", "phantom_tic_tac_toe"])
def test_roles_see_what_the_studio_shows_them(name: str) -> None:
    table = Table(ggp.load(name), 3)
    rng = random.Random(name)
    while not table.is_over and len(table.made) < LONGEST:
        if not table.draw():
            for role in table.waiting():
                table.choose(role, str(rng.choice(table.history.state.legal(role))))
    record = [made.text(table.game.players) for made in table.made]
    positions = run_script("page_tables.ts", {**data_of(table.game), "record": record})
    shown = Table(table.game, 3)
    compared = 0
    for at, roles in enumerate(positions):
        shown.replay(record[at - 1 : at] if at else [])
        for role, seen in enumerate(roles):
            assert seen["told"] == shown.told(role, at)
            assert seen["held"] > 0
            assert at == 0 or seen["line"] == record[at - 1]
            scene, certain = shown.scene(role, at)
            if certain and seen["certain"]:
                compared += 1
                assert scene is not None
                found = msgspec.to_builtins(msgspec.convert(seen["scene"], Scene))
                assert without_letters(found) == without_letters(msgspec.to_builtins(scene))
    assert compared >= len(positions)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "record", "played"),
    [
        ("tic_tac_toe", ["cross: a1", "nought: b2", "cross: b1", "nought: a3"], "c1"),
        ("tic_tac_toe", ["cross: a1", "nought: b2", "cross: b1"], "c1"),
        ("connect_four", ["red: a1", "yellow: b1", "red: a2", "yellow: b2", "red: a3", "yellow: g1"], "a4"),
        ("connect_four", ["red: a1", "yellow: b1", "red: a2", "yellow: b2", "red: a3"], "a4"),
        # Bouton's theory: of 1, 3 and 5 objects three are taken from the five
        ("nim", [], "3 3"),
        # who has the highest card calls, who has the lowest does not
        ("kuhn_poker", ["chance: 2 3", "first: bet"], "bet"),
        ("kuhn_poker", ["chance: 2 1", "first: bet"], "pass"),
    ],
)
def test_the_search_plays_what_is_best(name: str, record: list[str], played: str) -> None:
    given = {"heaps": 3, "last": "wins"} if name == "nim" else {}
    assert search(ggp.load(name, **given), record, 4_000)["choice"] == played


def test_the_search_mixes_where_players_move_at_once() -> None:
    found = search(ggp.load("rock_paper_scissors"), [], 20_000)
    assert all(0.2 < share < 0.5 for share in found["shares"].values()), found
    assert found["worth"] == pytest.approx([0, 0], abs=0.1)


def search(game: Game, record: list[str], iterations: int) -> Any:
    """Return what a page's search finds after a record."""
    return run_script("page_search.ts", {**data_of(game), "record": record, "iterations": iterations})
