"""Journals are archived and the store is copied while a manager is running."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from ggp.cli.main import app
from server.matches.library_games import LibraryGames
from server.store import records
from server.store.store import Store, read_store
from tests.support.arena import arena
from tests.support.full_disk import files_no_longer_than


async def test_old_journals_leave_the_store_and_still_verify(tmp_path: Path) -> None:
    async with arena(tmp_path, LibraryGames()) as here, here.web() as web:
        await here.players("a", "b")
        body = {"game": "tic_tac_toe", "players": ["a", "b"]}
        ids = []
        for _ in range(3):
            ids.append((await web.post("/matches", json=body)).json()["match"])
            await here.manager.task_of(ids[-1])
        before = (await web.get(f"/matches/{ids[0]}")).json()
        assert (await web.post("/archive", json={"older_than_days": 1})).json()["archived"] == 0
        copied = (await web.post("/backup", json={})).json()
        done = (await web.post("/archive", json={"older_than_days": 0})).json()
        assert done["archived"] == 3
        assert (await web.post("/archive", json={"older_than_days": 0})).json()["archived"] == 0
        after = (await web.get(f"/matches/{ids[0]}")).json()
        assert after == {**before, "journal": False}
        assert (await web.get(f"/matches/{ids[0]}/journal")).status_code == 410
        assert (await web.get(f"/matches/{ids[0]}/feed")).status_code == 410
        for id_ in ids:
            arguments = ["replay", str(Path(done["folder"]) / f"{id_}.jsonl.gz"), "--verify", "--json"]
            outcome = CliRunner().invoke(app, arguments)
            assert json.loads(outcome.stdout) == {"ok": True, "first_difference": None}, outcome.output
        with read_store(Path(copied["file"])) as connection:
            assert len(records.journal_of(connection, ids[0])) > 5
    Store(Path(copied["file"])).close()


async def test_a_manager_begins_on_a_store_whose_journals_are_archived(tmp_path: Path) -> None:
    async with arena(tmp_path, LibraryGames()) as here, here.web() as web:
        await here.players("a", "b")
        body = {"game": "tic_tac_toe", "players": ["a", "b"]}
        id_ = (await web.post("/matches", json=body)).json()["match"]
        await here.manager.task_of(id_)
        await web.post("/archive", json={"older_than_days": 0})
    async with arena(tmp_path, LibraryGames()) as here, here.web() as web:
        assert (await web.get(f"/matches/{id_}")).json()["state"] == "finished"


async def test_a_full_disk_leaves_no_half_files(tmp_path: Path) -> None:
    async with arena(tmp_path, LibraryGames()) as here, here.web() as web:
        await here.players("a", "b")
        made = (await web.post("/matches", json={"game": "tic_tac_toe", "players": ["a", "b"]})).json()
        await here.manager.task_of(made["match"])
        with files_no_longer_than(500):
            copied = (await web.post("/backup", json={})).json()
            archived = (await web.post("/archive", json={"older_than_days": 0})).json()
        assert copied["error"].startswith("cannot copy ")
        assert archived["error"].startswith("cannot archive ")
        assert not [*tmp_path.rglob("*.part"), *tmp_path.rglob("*.backup"), *tmp_path.rglob("*.gz")]
        assert (await web.get(f"/matches/{made['match']}/journal")).status_code == 200
