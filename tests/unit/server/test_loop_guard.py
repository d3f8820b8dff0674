import gc
import os
import signal
import time

import pytest

from server.matches.loop_guard import LoopGuard, TookLong


def endless():
    while True:
        pass


def test_what_never_ends_is_broken_off():
    with pytest.raises(TookLong):
        LoopGuard().run(endless, 0.02)


def test_what_is_quick_gives_what_it_gives():
    guard = LoopGuard()
    assert guard.run(lambda: 7, 10) == 7
    with pytest.raises(ZeroDivisionError):
        guard.run(lambda: 1 // 0, 10)


def test_no_collection_of_garbage_is_taken_for_the_time_of_a_call():
    assert gc.isenabled()
    assert not LoopGuard().run(gc.isenabled, 10)
    assert gc.isenabled()
    with pytest.raises(TookLong):
        LoopGuard().run(endless, 0.02)
    assert gc.isenabled()


def test_nothing_is_broken_off_that_is_not_guarded():
    guard = LoopGuard()
    guard.run(lambda: None, 0.02)
    with pytest.raises(TookLong):
        guard.run(endless, 0.02)
    os.kill(os.getpid(), signal.SIGVTALRM)  # one that comes late
    end = time.thread_time() + 0.06
    while time.thread_time() < end:
        pass
