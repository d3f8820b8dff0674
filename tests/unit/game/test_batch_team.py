"""Threads that share native calls: every part is done once a call, whether they look for the next one or sleep."""

from __future__ import annotations

import ctypes
import gc
import threading
import time

import numpy as np
import pytest

from ggp.game import batch_team
from ggp.game.batch_team import Team

CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


@pytest.mark.parametrize("pause_s", [0.0, 0.005])
@pytest.mark.parametrize("parts", [2, 3, 9])
def test_every_part_of_every_call_is_done(parts: int, pause_s: float) -> None:
    done: list[tuple[int, int, int]] = []
    function = CALLBACK(lambda *words: done.append(words))
    team = Team(parts)
    for call in range(20):
        rows = np.array([(call, part, 7 * part) for part in range(parts)], np.int64)
        team.call(ctypes.cast(function, ctypes.c_void_p).value or 0, rows)
        assert sorted(done) == [tuple(row) for row in rows.tolist()]
        done.clear()
        time.sleep(pause_s)


def test_the_threads_end_with_the_team() -> None:
    before = threading.active_count()
    team = Team(4)
    assert threading.active_count() == before + 3
    del team
    gc.collect()
    assert threading.active_count() == before


def test_a_wake_that_comes_late_ends_no_later_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last worker of a call may be held up before it wakes the caller, who has found the end by looking."""
    wake = "  call void @wake(ptr %team, i64 0, i64 1)\n"
    assert batch_team.TEXT.count(wake) == 1
    monkeypatch.setattr(
        batch_team, "TEXT", batch_team.TEXT.replace(wake, 40 * "  call void @let_run(ptr %team, i64 31)\n" + wake)
    )
    monkeypatch.setattr(batch_team, "LOOKS", 50)
    batch_team._code.cache_clear()
    team, blocks = Team(3), np.zeros((3, 1_000_000), np.uint8)
    fill = ctypes.cast(ctypes.CDLL(None).memset, ctypes.c_void_p).value or 0
    try:
        for call in range(1, 200):
            sizes = np.random.default_rng(call).integers(1, blocks.shape[1], 3)
            team.call(
                fill, np.array([(block.ctypes.data, call, size) for block, size in zip(blocks, sizes, strict=True)])
            )
            assert [block[size - 1] for block, size in zip(blocks, sizes, strict=True)] == [call] * 3
    finally:
        del team  # its threads end, which run the code that is forgotten now
        batch_team._code.cache_clear()
