"""Work distributed over processes: nothing lost or duplicated, errors reported, processes ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ggp.errors import GgpError
from players.agents.processes import WorkerFailed, WorkerLost, _interrupts_held_back, workers_kept, yielded


def count_up(first: int, count: int) -> Iterator[int]:
    yield from range(first, first + count)


def fail(number: int) -> Iterator[int]:
    yield number
    raise GgpError(f"no {number}")


class Stubborn(Exception):
    """Cannot be made again from its arguments."""

    def __init__(self) -> None:
        super().__init__("not an argument")


def fail_stubbornly(number: int) -> Iterator[int]:
    yield number
    raise Stubborn


def die(number: int) -> Iterator[int]:
    yield number
    os.kill(os.getpid(), signal.SIGKILL)


def sleep_long(seconds: float) -> Iterator[float]:
    yield seconds
    time.sleep(seconds)


@pytest.mark.parametrize("processes", [1, 3])
def test_every_call_yields_all_its_items_in_order(processes: int) -> None:
    arguments = [(10 * number, number) for number in range(6)]
    found: dict[int, list[int]] = {}
    for number, item in yielded(count_up, arguments, processes):
        found.setdefault(number, []).append(item)
    assert found == {
        number: list(range(first, first + count)) for number, (first, count) in enumerate(arguments) if count
    }
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("processes", [1, 2])
def test_errors_of_calls_are_raised_here(processes: int) -> None:
    with pytest.raises(GgpError, match="no 1") as raised:
        list(yielded(fail, [(1,), (1,)], processes))
    assert not multiprocessing.active_children()
    if processes > 1:
        assert "in fail" in raised.value.__notes__[0]  # where it happened


def test_an_error_that_cannot_be_sent_is_told() -> None:
    with pytest.raises(WorkerFailed, match=r"in fail_stubbornly(.|\n)*Stubborn: not an argument"):
        list(yielded(fail_stubbornly, [(1,), (1,)], 2))
    assert not multiprocessing.active_children()


def test_a_killed_process_is_told() -> None:
    with pytest.raises(WorkerLost):
        list(yielded(die, [(1,), (2,)], 2))


def test_closing_ends_processes_at_once() -> None:
    items = yielded(sleep_long, [(3600.0,), (3600.0,)], 2)
    assert next(items)[1] == 3600.0
    assert len(multiprocessing.active_children()) == 2
    items.close()
    assert not multiprocessing.active_children()


def test_an_interruption_that_another_thread_gets_is_held_back_too() -> None:
    other = threading.Thread(target=lambda: (time.sleep(0.1), signal.raise_signal(signal.SIGINT)))
    other.start()  # before: a thread inherits the mask
    passed = []

    def held_back() -> None:
        with _interrupts_held_back():
            other.join()
            time.sleep(0.05)
            passed.append(True)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            held_back()
    finally:
        signal.signal(signal.SIGINT, before)
    assert passed


def interrupts_blocked() -> Iterator[bool]:
    """Yield whether this process was started with interrupts held back."""
    yield signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, set())


def test_interrupts_are_held_back_from_the_first_process_on() -> None:
    """In a process of its own: in this one multiprocessing has helpers already, which are what lets them through."""
    program = (
        "from test_processes import interrupts_blocked\n"
        "from players.agents.processes import yielded\n"
        "if __name__ == '__main__':\n"
        "    print(*(blocked for _, blocked in yielded(interrupts_blocked, [(), ()], 2)))\n"
    )
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(here), str(here.parents[2])))}
    with TemporaryDirectory() as folder:
        file = Path(folder, "program.py")
        file.write_text(program, encoding="utf-8")
        done = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]


def own_process(module: str) -> Iterator[tuple[int, bool]]:
    yield os.getpid(), module in sys.modules


def test_kept_workers_start_at_once_and_work_again() -> None:
    with workers_kept(1, ["colorsys"]):
        (started,) = multiprocessing.active_children()
        calls = [list(yielded(own_process, [("colorsys",), ("colorsys",)], 2)) for _ in range(2)]
        first, second = ({process for _, (process, _) in items} for items in calls)
        assert first == second
        assert started.pid in first
        assert {loaded for items in calls for _, (process, loaded) in items if process == started.pid} == {True}
    assert not multiprocessing.active_children()


def test_kept_workers_whose_work_was_broken_off_are_not_used_again() -> None:
    with workers_kept():
        with pytest.raises(GgpError):
            list(yielded(fail, [(1,), (2,)], 2))
        items = yielded(sleep_long, [(3600.0,), (3600.0,)], 2)
        next(items)
        items.close()
        assert sorted(item for _, item in yielded(count_up, [(1, 1), (2, 1)], 2)) == [1, 2]
    assert not multiprocessing.active_children()
