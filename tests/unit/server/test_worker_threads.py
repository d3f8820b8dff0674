"""Calls in threads: their results, and calls that take too long."""

import asyncio
import math
import threading
import time

import pytest

from server.matches.worker_threads import OverLimit, WorkerThreads
from tests.support.slow_games import burn


async def test_a_call_returns_or_raises_and_its_thread_is_used_again():
    threads = WorkerThreads(2)
    first, seconds = await threads.run(threading.get_ident)
    assert first != threading.get_ident()
    assert 0 <= seconds < 1
    with pytest.raises(ZeroDivisionError):
        await threads.run(lambda: 1 // 0)
    assert (await threads.run(threading.get_ident))[0] == first
    assert (await threads.run(lambda: burn(0.05), 5.0))[1] >= 0.05
    threads.close()


async def test_nothing_waits_for_what_takes_too_long():
    threads = WorkerThreads(1)
    ended = threading.Event()
    with pytest.raises(OverLimit):
        await threads.run(lambda: (burn(0.5), ended.set()), 0.1)
    assert not ended.is_set()
    assert (await threads.run(lambda: 7))[0] == 7  # the place is free again
    threads.close()
    assert await asyncio.to_thread(ended.wait, 20)


async def test_only_processor_time_counts():
    threads = WorkerThreads(1)
    assert (await threads.run(lambda: time.sleep(0.3), 0.1))[1] < 0.1


async def test_a_call_that_nobody_waits_for_any_more_gives_its_place_away():
    threads = WorkerThreads(1)
    waiting = asyncio.create_task(threads.run(lambda: burn(0.5)))
    await asyncio.sleep(0.05)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await threads.run(lambda: 7))[0] == 7


async def test_more_than_there_are_places_wait_unless_one_is_given_on():
    done = threading.Event()
    for patience_s, waits in ((math.inf, True), (0.01, False)):
        threads = WorkerThreads(1, patience_s=patience_s, in_background=True)
        first = asyncio.create_task(threads.run(done.wait))
        await asyncio.sleep(0)
        second = asyncio.create_task(threads.run(lambda: 7))
        finished, _ = await asyncio.wait({second}, timeout=0.2 if waits else 5)
        assert (not finished) == waits
        done.set()
        assert (await first)[0]
        assert (await second)[0] == 7
        done.clear()
