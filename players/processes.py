"""Work spread over processes: what several generators yield, as it comes."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Item = TypeVar("Item")
YIELDED, OVER, FAILED = 0, 1, 2


class WorkerLost(RuntimeError):
    """A worker process ended before its work: killed, or out of memory; what it printed says more."""


def yielded(
    function: Callable[..., Iterator[Item]], arguments: Sequence[tuple[Any, ...]], processes: int
) -> Iterator[tuple[int, Item]]:
    """Call a generator function for each tuple of arguments and yield what it yields, with the number of the tuple.

    Calls begin in the order of `arguments`. The items of one call come in their order, those of several calls in any.
    With one process all is done in this one. If this generator is closed, or anything is raised, Ctrl-C included, the
    other processes are ended at once.

    Args:
        function: at the top of a module; it, its arguments and what it yields and raises must be picklable.
        arguments: of each call.
        processes: how many at most.

    Raises:
        WorkerLost: a process ended before its work.
        Exception: whatever a call raised.
    """
    workers = min(processes, len(arguments))
    if workers <= 1:
        for number, these in enumerate(arguments):
            for item in function(*these):
                yield number, item
        return
    from multiprocessing.connection import wait

    waiting = iter(enumerate(arguments))
    with ExitStack() as stack:
        idle: list[Any] = [stack.enter_context(_worker(function)) for _ in range(workers)]
        busy: dict[Any, int] = {}
        while True:
            for worker, (number, these) in zip(idle, waiting, strict=False):
                worker.send(these)
                busy[worker] = number
            idle = []
            if not busy:
                return
            ready: list[Any] = wait(list(busy))
            for worker in ready:
                try:
                    what, value = worker.recv()
                except EOFError as error:
                    raise WorkerLost("a worker process ended before its work") from error
                if what == YIELDED:
                    yield busy[worker], value
                elif what == FAILED:
                    raise value
                else:
                    del busy[worker]
                    idle.append(worker)


@contextmanager
def _worker(function: Callable[..., Iterator[Any]]) -> Iterator[Connection]:
    """Start a worker process, give the connection to it, and end it."""
    import multiprocessing

    # not forked: a copy of a process with compiled code and threads in it may hang
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(function, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.terminate()
        process.join()


def _work(function: Callable[..., Iterator[Any]], parent: Connection) -> None:
    """Do what the parent asks for until it is terminated."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is left to the parent
    while True:
        try:
            arguments = parent.recv()
        except EOFError:
            return
        try:
            for item in function(*arguments):
                parent.send((YIELDED, item))
        except Exception as error:
            parent.send((FAILED, error))
            return
        parent.send((OVER, None))
