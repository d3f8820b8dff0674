"""Threads that share native calls: every part is done once a call, whether they look for the next one or sleep."""

from __future__ import annotations

import ctypes
import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

import ggp
from ggp.faults import IllegalAction
from ggp.game.batch_team import Team, call_rows

CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


@pytest.mark.parametrize("pause_s", [0.0, 0.005])
@pytest.mark.parametrize("parts", [2, 3, 9])
def test_every_part_of_every_call_is_done(parts: int, pause_s: float) -> None:
    done: list[tuple[int, int, int]] = []
    function = CALLBACK(lambda *words: done.append(words))
    team = Team(parts)
    for call in range(20):
        rows = [(call, part, 7 * part) for part in range(parts)]
        team.call(call_rows(ctypes.cast(function, ctypes.c_void_p).value or 0, rows))
        assert sorted(done) == rows
        done.clear()
        time.sleep(pause_s)


def test_the_threads_end_with_the_team() -> None:
    before = set(threading.enumerate())
    team = Team(4)
    workers = set(threading.enumerate()) - before
    assert len(workers) == 3
    del team
    gc.collect()
    for worker in workers:
        worker.join(10)
        assert not worker.is_alive()


def test_threads_that_use_one_batch_wait_for_each_other() -> None:
    batch = ggp.load("connect_four").batch(2000, threads=2)

    def play(_: int) -> None:
        for _ in range(40):
            # what one draws, another may have overwritten; it was no error, but the end of the process
            with suppress(IllegalAction):
                batch.step(batch.random_actions())

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(play, range(3)))
    assert batch.steps >= 40
