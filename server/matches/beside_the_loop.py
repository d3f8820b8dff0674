"""Work that takes seconds but comes to an end, such as checking rules: in a thread, beside the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def beside_the_loop(call: Callable[[], T]) -> T:
    """Run what may take long, but comes to an end, in a thread of its own; return or raise what it does.

    Unlike a thread of asyncio's own it does not keep the process from ending.
    """
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    threading.Thread(target=_work, args=(call, future), name="beside", daemon=True).start()
    return await future


def _work(call: Callable[[], Any], future: asyncio.Future[Any]) -> None:
    result, error = None, None
    try:
        result = call()
    except BaseException as raised:  # whoever waits for the call gets it
        error = raised
    # A loop that is closed has nobody left who waits.
    with suppress(RuntimeError):
        future.get_loop().call_soon_threadsafe(_settle, future, result, error)


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
