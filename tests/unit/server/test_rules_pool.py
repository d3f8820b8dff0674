"""Transitions in processes: what comes of them, and what of those that never end."""

import asyncio
import contextlib
import os
import pickle
import subprocess
import sys
from subprocess import PIPE

import pytest

from server.matches import rules_pool
from server.matches.games import GameSource
from server.matches.rules_pool import RulesGivenUp, RulesPool
from server.matches.rules_process import Request
from server.referee.rules_steps import Step, make_step
from tests.arena import played
from tests.slow_games import Slow, SlowGames
from tests.tiny_games import DarkBids

DARK = GameSource("dark", "by hand", {}, {})
FAULTY = GameSource("faulty", "by hand", {}, {})


def slow(manner):
    return GameSource("slow", "by hand", {}, {"manner": manner})


def step_of(manner):
    return Step(Slow(manner=manner).initial().words, "counting", {0: "count"})


@contextlib.asynccontextmanager
async def pool_of_processes():
    pool = RulesPool(SlowGames())
    try:
        yield pool
    finally:
        await pool.close()


@played
async def test_a_process_says_the_same_as_this_one():
    bids = DarkBids()
    steps = [Step(), Step(bids.initial().words, "deal", None, "5eed", 0)]
    async with pool_of_processes() as pool:
        for step in steps:
            situation, seconds = await pool.make(DARK, step, 0.0)
            assert situation == make_step(bids, step, ())
            assert seconds >= 0
        # Another game, in the same process; its rules fail, and another's print.
        fails = Step((9, 2, 1), "counting", {0: "count"})
        assert (await pool.make(FAULTY, fails, 0.0))[0].failure == "`count` takes 0..3, not 4"
        situation, seconds = await pool.make(slow("burn"), step_of("burn"), None)
        assert situation.words[2] == 1
        assert seconds >= 0.05
        assert len(pool._idle) == 1


@played
async def test_what_takes_too_long_is_ended_and_others_go_on(monkeypatch):
    monkeypatch.setattr(rules_pool, "RULES_LIMIT_S", 0.3)
    async with pool_of_processes() as pool:
        endless = asyncio.create_task(pool.make(slow("endless"), step_of("endless"), 0.1))
        assert (await pool.make(DARK, Step(), 0.0))[0].words == DarkBids().initial().words
        with pytest.raises(RulesGivenUp) as caught:
            await endless
        assert str(caught.value) == "the rules of slow took more than 0.3 s of processor time in phase `counting`"
        assert len(pool._idle) == 1


@played
async def test_a_process_that_is_lost_is_replaced_once(tmp_path):
    async with pool_of_processes() as pool:
        mark = f"killed {tmp_path / 'mark'}"
        assert (await pool.make(slow(mark), step_of(mark), 0.0))[0].words[2] == 1
        with pytest.raises(RulesGivenUp) as caught:
            await pool.make(slow("killed "), step_of("killed "), 0.0)
        assert str(caught.value) == "the process of the rules of slow ended in phase `counting` with status -9"


@played
async def test_a_mistake_of_our_own_shows_its_traceback():
    async with pool_of_processes() as pool:
        with pytest.raises(RuntimeError, match=r"(?s)rules of slow broke.*our own mistake"):
            await pool.make(slow("broken"), step_of("broken"), 0.0)
        assert len(pool._idle) == 1


@played
async def test_whom_nobody_waits_for_any_more_is_ended():
    async with pool_of_processes() as pool:
        endless = asyncio.create_task(pool.make(slow("endless"), step_of("endless"), None))
        await pool.make(DARK, Step(), 0.0)
        endless.cancel()
        with pytest.raises(asyncio.CancelledError):
            await endless
        assert len(pool._idle) == 1
    assert not pool._endings


@played
async def test_more_than_there_are_processes_wait(monkeypatch, tmp_path):
    monkeypatch.setattr(rules_pool, "MAX_PROCESSES", 1)
    async with pool_of_processes() as pool:
        waiting = f"waiting {tmp_path / 'mark'}"
        first = asyncio.create_task(pool.make(slow(waiting), step_of(waiting), None))
        second = asyncio.create_task(pool.make(DARK, Step(), 0.0))
        done, _ = await asyncio.wait({second}, timeout=0.3)
        assert not done
        (tmp_path / "mark").touch()
        await first
        await second
        assert len(pool._idle) == 1


def test_a_process_whose_manager_was_killed_ends_without_a_word():
    command = [sys.executable, "-c", rules_pool._COMMAND]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment) as process:
        process.stdout.close()
        process.stdin.write(pickle.dumps(SlowGames()) + pickle.dumps(Request(DARK, Step(), 0.0)))
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
