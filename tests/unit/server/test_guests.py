"""Games of strangers in processes of their own: whatever they do there ends their own match at most."""

import asyncio
import os
import random
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress

import msgspec
import pytest

from ggp.language import load_rules
from server.matches import guests, loaded_game
from server.matches.games import GameSource
from server.matches.library_games import LibraryGames
from server.matches.loaded_game import LoadedGames
from server.matches.memory_limits import RULES_MEMORY
from server.referee.replay import first_difference
from server.referee.rules_steps import Step
from tests.support.arena import arena, play_on, raw, until
from tests.support.hostile_rules import tar_pit
from tests.support.last_one import FAULTY, RULES
from tests.unit.server.test_feed import events


class Strangers(LibraryGames):
    """All games are strangers'."""

    def is_own(self, source):
        return False


def process_of(loaded):
    return loaded._guest._process


def is_there(pid):
    """Return whether a process runs; one that nobody has waited for yet does not."""
    with suppress(FileNotFoundError), open(f"/proc/{pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0] != "Z"
    return False


def gone(pid, seconds=10):
    end = time.monotonic() + seconds
    while is_there(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not is_there(pid)


async def plays(loaded, count):
    """Return all that a number of transitions of random plays give."""
    rng, found, result = random.Random(7), [], None
    for draws in range(count):
        if result is None or result.utilities is not None or result.failure is not None:
            step = Step()
        elif result.legal:
            joint = {player: rng.choice(list(legal.values())) for player, legal in result.legal.items()}
            step = Step(result.words, result.phase, joint)
        else:
            step = Step(result.words, result.phase, None, "5eed", draws)
        result, seconds = await loaded.make(step, 0.0)
        assert 0 <= seconds < 1
        told = [[list(one) for one in observations] for observations in result.told]
        legal = {player: [(str(action), text) for text, action in of.items()] for player, of in result.legal.items()}
        found.append((step.joint, result.outcome, told, result.words, result.phase))
        found.append((result.utilities, legal, result.failure))
    return found


@pytest.mark.long
async def test_transitions_are_the_same_in_a_process_of_their_own():
    for name, text in (("kuhn_poker", None), ("goofspiel", None), ("faulty", FAULTY)):
        text = text or load_rules(name)[0].text
        here, there = LoadedGames(LibraryGames()), LoadedGames(Strangers())
        own = await here._load_own(GameSource(name, text))
        guest = await there.load(GameSource(name, text))
        assert process_of(guest).poll() is None
        assert resource.prlimit(process_of(guest).pid, resource.RLIMIT_AS) == (RULES_MEMORY, RULES_MEMORY)
        assert await plays(own, 150) == await plays(guest, 150)
        drawn = [msgspec.json.encode(await game.show(None, {}, None)) for game in (own, guest)]
        assert drawn[0] == drawn[1]
        if name == "faulty":
            for game in (own, guest):
                words, _ = await game.show(None, {}, None)
                words, drawn = await game.show(words, {"red": "2"}, None)
                assert drawn is not None
                assert await game.show(words, {"blue": "2"}, None) == (None, None)
        here.close()
        there.close()


async def test_only_rules_of_the_host_are_its_own(tmp_path):
    path = tmp_path / "mine.rules"
    path.write_text(RULES)
    games = LibraryGames([str(path)])
    source = games.find("tic_tac_toe", {})
    assert games.is_own(source)
    assert games.is_own(games.find(str(path), {}))
    assert games.is_own(GameSource("last_one", RULES))
    assert not games.is_own(GameSource("tic_tac_toe", RULES + "\n"))
    assert not games.is_own(GameSource("tic_tac_toe", source.rules + "\n"))
    with_file = games.find("visibility_pursuit", {})
    assert with_file.files
    assert games.is_own(with_file)
    assert not games.is_own(
        GameSource("visibility_pursuit", with_file.rules, dict.fromkeys(with_file.files, "another map"))
    )
    assert not games.is_own(GameSource("tic_tac_toe", source.rules, {"../tic_tac_toe.rules": source.rules}))
    path.unlink()
    assert not games.is_own(GameSource("last_one", RULES))


async def test_matches_that_begin_together_share_a_process():
    games = LoadedGames(Strangers())
    first, *others = await asyncio.gather(*(games.load(GameSource("last_one", RULES)) for _ in range(3)))
    assert all(one is first for one in others)
    assert len(games._guests._guests) == 1
    games.close()


async def test_mistakes_in_rules_are_told_and_their_process_ends():
    games = LoadedGames(LibraryGames())
    with pytest.raises(guests.GuestWrong, match="left"):
        await games.find("wrong", {}, RULES.replace("left: 0..5 = 5", "left: 0..5 = 6"))
    assert not [one for one in games._guests._guests if one._process.poll() is None]
    source = await games.find("last_one", {}, RULES)
    assert await games.load(source) is await games.load(GameSource("last_one", RULES))
    games.close()


async def test_rules_that_never_end_abort_their_match_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(loaded_game, "RULES_LIMIT_S", 0.5)
    games = LibraryGames()
    async with arena(tmp_path, games) as here:
        members = await here.players("a", "b")
        id_, task = await here.match(members, "tar_pit", rules=tar_pit())
        loaded = await here.manager.games.load(GameSource("tar_pit", tar_pit()))
        pid = process_of(loaded).pid
        _, other = await here.library_match(members, "tic_tac_toe")
        assert (await other).result == "finished"
        ended = await task
        reason = "the rules of tar_pit took more than 0.5 s of processor time in phase `swamp`"
        assert (ended.result, ended.reason) == ("aborted", reason)
        assert gone(pid)
        journal = here.stored(id_)[1]
        assert first_difference(journal, games.load_created, games.faults) is None


async def test_rules_that_use_up_memory_abort_their_match_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(guests, "WORKER", "tests.support.hostile_worker")
    games = LibraryGames()
    async with arena(tmp_path, games) as here:
        members = await here.players("a", "b")
        id_, task = await here.match(members, "last_one", play_clock_ms=30_000, rules=RULES)
        _, other = await here.library_match(members, "tic_tac_toe")
        assert (await other).result == "finished"
        ended = await task
        reason = "the process that plays the rules of last_one ended; it may have needed too much memory"
        assert (ended.result, ended.reason) == ("aborted", reason)
        assert first_difference(here.stored(id_)[1], games.load_created, games.faults) is None


async def test_a_process_that_is_killed_is_started_again_and_the_match_goes_on(tmp_path):
    games = LibraryGames()
    async with arena(tmp_path, games) as here, here.web() as web:
        await here.players("a")
        async with raw(here, "b") as socket:
            id_, task = await here.match(await here.members(2), "last_one", play_clock_ms=30_000, rules=RULES)
            act = await until(socket, "act")
            loaded = await here.manager.games.load(GameSource("last_one", RULES))
            killed = process_of(loaded)
            killed.send_signal(signal.SIGKILL)
            killed.wait()
            await play_on(socket, act)
            assert (await task).result == "finished"
            assert process_of(loaded).pid != killed.pid
        assert first_difference(here.stored(id_)[1], games.load_created, games.faults) is None
        steps = [data for name, data in await events(web, id_) if name == "step"]
        assert len(steps) >= 4
        assert all(step["scene"] for step in steps)
        pid = process_of(loaded).pid
    assert gone(pid)


async def test_a_match_goes_on_in_a_new_manager(tmp_path, monkeypatch):
    monkeypatch.setattr("server.matches.running_match.RETURN_GRACE_S", 0.05)
    games = LibraryGames()
    async with arena(tmp_path, games) as here:
        await here.players("a")
        async with raw(here, "b") as socket:
            id_, _ = await here.match(await here.members(2), "last_one", play_clock_ms=300, rules=RULES)
            await until(socket, "act")
    async with arena(tmp_path, games) as here:
        assert (await here.manager.task_of(id_)).result == "finished"
        assert first_difference(here.stored(id_)[1], games.load_created, games.faults) is None


async def test_the_process_that_was_used_longest_ago_makes_room(monkeypatch):
    monkeypatch.setattr(guests, "MAX_PROCESSES", 2)
    games = LoadedGames(Strangers())
    first, second, third = [await games.load(GameSource("last_one", RULES + "\n" * count)) for count in range(3)]
    assert process_of(first) is None
    await first.make(Step(), 0.0)
    assert (process_of(first) is None, process_of(second) is None, process_of(third) is None) == (False, True, False)
    pids = [process_of(one).pid for one in (first, third)]
    games.close()
    assert all(map(gone, pids))


async def in_the_swamp():
    """Return a game, its first state, and a task in which a process computes for a second."""
    games = LoadedGames(Strangers())
    loaded = await games.load(GameSource("tar_pit", tar_pit()))
    state = (await loaded.make(Step(), 0.0))[0]
    start, joint = state.words, dict.fromkeys((0, 1), state.legal[0]["1"])
    while state.phase != "swamp":
        state = (await loaded.make(Step(state.words, state.phase, joint), 0.0))[0]
    waiting = asyncio.create_task(loaded.make(Step(state.words, state.phase, joint), 0.0))
    await asyncio.sleep(0.1)
    return games, loaded, start, waiting


async def test_who_no_longer_waits_for_an_answer_leaves_none_behind():
    """An answer that comes later is not taken for that to the next request."""
    games, loaded, start, waiting = await in_the_swamp()
    pid = process_of(loaded).pid
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await loaded.make(Step(), 0.0))[0].words == start
    assert gone(pid)
    games.close()


async def test_a_transition_whose_process_is_killed_is_made_again():
    games, loaded, _, waiting = await in_the_swamp()
    killed = process_of(loaded)
    killed.kill()
    result, _ = await waiting
    assert result.utilities is not None
    assert process_of(loaded).pid != killed.pid
    games.close()


MANAGER = """
import asyncio, os, signal
from server.matches.games import GameSource
from server.matches.library_games import LibraryGames
from server.matches.loaded_game import LoadedGames

async def main():
    loaded = await LoadedGames(LibraryGames()).load(GameSource("last_one", RULES))
    print(loaded._guest._process.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_a_manager_that_is_killed_leaves_no_process_behind():
    code = MANAGER.replace("RULES", repr(RULES))
    killed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=os.getcwd(), check=False)
    assert killed.returncode == -signal.SIGKILL
    assert gone(int(killed.stdout))
