"""Slow rules: found out before the first match or in it, and from then on beside the event loop."""

import asyncio
import threading
import time
from dataclasses import dataclass, replace

import pytest

from server.loaded_game import LOOP_BUDGET_S, LoadedGame, RulesThread, beside_the_loop, is_slow
from tests.arena import arena, run
from tests.tiny_games import Broken, Counting, CountState, DarkBids, TinyGames


def burn(seconds):
    """Compute for some processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@dataclass(frozen=True)
class SlowState(CountState):
    def apply(self, joint):
        burn(2 * LOOP_BUDGET_S)
        return replace(self, count=self.count + 1)


class Slow(Counting):
    def initial(self):
        return SlowState(self.limit, None)


def test_a_game_is_tried_before_its_first_match():
    assert is_slow(Slow())
    assert not is_slow(DarkBids())
    # What fails will fail in a match, where it can be told.
    assert not is_slow(Broken())
    assert not is_slow(Counting(9, 2))


def test_rules_run_at_once_until_they_were_slow():
    async def test():
        loaded = LoadedGame(DarkBids(), RulesThread())
        here = threading.current_thread()
        assert await loaded.run(threading.current_thread) is here
        await loaded.run(lambda: burn(2 * LOOP_BUDGET_S))
        assert loaded.slow
        assert await loaded.run(threading.current_thread) is not here
        for where in (loaded.run, beside_the_loop):
            with pytest.raises(ZeroDivisionError):
                await where(lambda: 1 // 0)

    asyncio.run(test())


def test_a_match_goes_on_while_another_computes(tmp_path):
    """The slow transition lasts until the other match is over: on the event loop it never would be."""
    over = threading.Event()
    waited = []

    class WaitingState(CountState):
        def apply(self, joint):
            if threading.current_thread().name == "rules":
                waited.append(over.wait(10))
            else:
                burn(2 * LOOP_BUDGET_S)  # this is the trial
            return replace(self, count=self.count + 1)

    class Waiting(Counting):
        def initial(self):
            return WaitingState(self.limit, None)

    class Games(TinyGames):
        def load(self, source):
            return Waiting() if source.name == "counting" else super().load(source)

    async def test():
        async with arena(tmp_path, Games()) as here:
            here.join(name="a")
            here.join(name="b")
            members = await here.members(2)
            _, slow = await here.match(members[:1], "counting")
            _, quick = await here.match(members)
            assert (await quick).result == "finished"
            over.set()
            assert (await slow).result == "finished"
            assert waited == [True, True, True]

    run(test())
