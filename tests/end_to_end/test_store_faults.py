"""Managers whose store is truncated, or whose clock goes backwards: real processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from server.matches.library_games import LibraryGames
from tests.support.arena import arena
from tests.support.processes import (
    ManagerProcess,
    assert_verified,
    goofspiel,
    process,
    run_ggp,
    running_command,
    stored_matches,
)

BACKWARDS = """
import datetime, sys
from server.store import wall_clock as clock
hours = [0]
class Backwards(datetime.datetime):
    @classmethod
    def now(cls, zone=None):
        hours[0] += 1
        return super().now(zone) - datetime.timedelta(hours=hours[0])
clock.datetime = Backwards
from ggp.cli.main import main
main()
"""
"""`ggp serve` on a machine whose time of day is set back by an hour whenever it is looked at."""


async def test_a_truncated_store_is_refused_in_one_line(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    async with arena(tmp_path, LibraryGames()) as here:
        _, task = await here.library_match(await here.players("a", "b"), "goofspiel", n="3")
        await task
    whole = store.read_bytes()
    for kept in (0.3, 0.9):
        store.write_bytes(whole[: int(len(whole) * kept)])
        outcome = run_ggp("replay", str(store), "--verify")
        assert outcome.returncode == 2
        assert len(outcome.stderr.splitlines()) == 1
        assert "cannot read the store" in outcome.stderr


@pytest.mark.long
def test_a_time_of_day_that_goes_backwards_harms_nothing(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    command = (sys.executable, "-c", BACKWARDS, "serve", "--json", "--port", "0", "--store", str(store), *goofspiel(2))
    with running_command(*command) as running:
        host = ManagerProcess(running)
        with process("join", host.url, "random", "--name", "a"), process("join", host.url, "random", "--name", "b"):
            host.results()
    rows = stored_matches(store)
    assert [row.state for row in rows] == ["finished"] * 2
    assert rows[0].ended_at is not None
    assert rows[0].ended_at < rows[0].created_at
    assert_verified(store)
