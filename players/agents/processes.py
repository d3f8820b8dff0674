"""Work distributed over processes, or over a cluster: the items of several generators, as they come.

No process is ever left behind: they end when their work is no longer needed, even if their parent is killed.
Only the parent handles Ctrl-C.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor
from concurrent.futures import wait as wait_for_futures
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ggp.errors import GgpError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Item = TypeVar("Item")
YIELDED, OVER, FAILED = 0, 1, 2


class WorkerLost(GgpError):
    """A worker process ended before its work was done: it was killed, or ran out of memory."""

    def __init__(self) -> None:
        super().__init__("a worker process was killed; is there too little memory for --jobs?")


class WorkerFailed(RuntimeError):
    """A call raised an error that cannot be sent between processes; the message is its traceback."""


_EXECUTOR: ContextVar[Executor | None] = ContextVar("executor", default=None)


@contextmanager
def on_executor(executor: Executor) -> Iterator[None]:
    """Let `yielded` run its calls on an executor within the context, instead of in local processes.

    Args:
        executor: of `concurrent.futures`, such as that of a Dask cluster.
    """
    token = _EXECUTOR.set(executor)
    try:
        yield
    finally:
        _EXECUTOR.reset(token)


def yielded(
    function: Callable[..., Iterator[Item]], arguments: Sequence[tuple[Any, ...]], processes: int
) -> Generator[tuple[int, Item]]:
    """Call a generator function for each tuple of arguments and yield its items, with the number of the tuple.

    Calls begin in the order of `arguments`. The items of one call come in their order, those of several calls in any.
    With one process, all calls run in this one. If this generator is closed, or anything is raised, Ctrl-C included,
    the other processes are ended at once, or with the context of `workers_kept`. Within `on_executor` each call runs as
    a whole on that executor, and its items come together; a Dask cluster repeats a call whose worker was lost.

    Args:
        function: at the top of a module; it, its arguments and its items must be picklable.
        arguments: of each call.
        processes: how many at most.

    Raises:
        WorkerLost: a process ended before its work was done.
        WorkerFailed: a call raised an error that cannot be pickled.
        Exception: whatever else a call raised.
    """
    executor = _EXECUTOR.get()
    if executor is not None:
        yield from _from_executor(executor, function, arguments)
        return
    workers = min(processes, len(arguments))
    if workers <= 1:
        for number, these in enumerate(arguments):
            for item in function(*these):
                yield number, item
        return
    from multiprocessing.connection import wait

    waiting = iter(enumerate(arguments))
    with _workers(workers) as idle:
        busy: dict[Any, int] = {}
        while True:
            for worker, (number, these) in zip(idle, waiting, strict=False):
                worker.send((function, these))
                busy[worker] = number
            idle = []
            if not busy:
                return
            ready: list[Any] = wait(list(busy))
            for worker in ready:
                try:
                    what, value = worker.recv()
                except EOFError as error:
                    raise WorkerLost from error
                if what == YIELDED:
                    yield busy[worker], value
                elif what == FAILED:
                    raise value
                else:
                    del busy[worker]
                    idle.append(worker)


def _from_executor(
    executor: Executor, function: Callable[..., Iterator[Item]], arguments: Sequence[tuple[Any, ...]]
) -> Generator[tuple[int, Item]]:
    numbers = {executor.submit(_collected, function, these): number for number, these in enumerate(arguments)}
    waiting = set(numbers)
    try:
        while waiting:
            done, waiting = wait_for_futures(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                for item in future.result():
                    yield numbers[future], item
    finally:
        for future in waiting:
            future.cancel()


def _collected(function: Callable[..., Iterator[Item]], arguments: tuple[Any, ...]) -> list[Item]:
    return list(function(*arguments))


@dataclass(slots=True)
class _Kept:
    """Workers that have nothing to do, and what ends all of them."""

    stack: ExitStack
    idle: list[Connection]


_KEPT: ContextVar[_Kept | None] = ContextVar("kept", default=None)


@contextmanager
def workers_kept(processes: int = 0, modules: Sequence[str] = ()) -> Iterator[None]:
    """Let all calls of `yielded` within the context use the same workers, which end with it.

    A worker needs a second to import what it works with, and knows the kernels that it has compiled.

    Args:
        processes: how many to start at once, while this process prepares their work; the others start when needed.
        modules: what these import at once.
    """
    with ExitStack() as stack:
        kept = _Kept(stack, [])
        kept.idle += [stack.enter_context(_worker(modules)) for _ in range(processes)]
        token = _KEPT.set(kept)
        try:
            yield
        finally:
            _KEPT.reset(token)


@contextmanager
def _workers(count: int) -> Iterator[list[Connection]]:
    """Yield some workers: kept ones first, and new ones. Those whose work was broken off are not used again."""
    kept = _KEPT.get()
    if kept is None:
        with ExitStack() as stack:
            yield [stack.enter_context(_worker()) for _ in range(count)]
        return
    workers = [kept.idle.pop() if kept.idle else kept.stack.enter_context(_worker()) for _ in range(count)]
    yield list(workers)
    kept.idle += workers


@contextmanager
def _worker(modules: Sequence[str] = ()) -> Iterator[Connection]:
    """Start a worker process, yield the connection to it, and end it."""
    import multiprocessing

    # not forked: a copy of a process with compiled code and threads may hang
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(modules, theirs), daemon=True)
    with _interrupts_held_back():
        process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.terminate()
        process.join()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let a process started in the context ignore Ctrl-C from the first moment; here an interrupt is only delayed.

    The process inherits the signal mask. In this process the mask is not enough: another thread, such as that of a
    progress bar, may get the signal, and its handler still runs in the main thread.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    from multiprocessing import resource_tracker

    # the first process would start the tracker, which lets interrupts through again
    resource_tracker.ensure_running()
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


def _work(modules: Sequence[str], parent: Connection) -> None:
    """Import modules, then run the calls that the parent sends until it is terminated."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for module in modules:
        importlib.import_module(module)
    while True:
        try:
            function, arguments = parent.recv()
        except EOFError:
            return
        try:
            for item in function(*arguments):
                parent.send((YIELDED, item))
        except Exception as error:
            parent.send((FAILED, _sendable(error)))
            return
        parent.send((OVER, None))


def _end_with_parent() -> None:
    """Wait for the parent to end, and end this process at once."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _sendable(error: Exception) -> Exception:
    """Return an error with its traceback as a note, or `WorkerFailed` if it does not survive pickling."""
    text = "".join(traceback.format_exception(error))
    error.add_note(text)
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever an error's own constructor or parts may raise
        return WorkerFailed(text)
    return error
