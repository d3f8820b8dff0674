"""Threads that share native calls, all of it without the interpreter's lock.

A transition of a few thousand games takes tens of microseconds, less than it takes to wake a sleeping thread. So a
worker goes on looking for the next call for a moment in native code, and sleeps in Python only when none comes.
"""

from __future__ import annotations

import ctypes
import os
import string
import threading
import weakref
from collections.abc import Sequence
from functools import cache, partial

import numpy as np
from llvmlite import binding

from ggp.codegen.kernels import I64
from ggp.codegen.machine_code import MachineCode, object_code
from ggp.codegen.object_files import load_code

MOST_ARGUMENTS = 24
LOOKS = 2000
"""How often a worker looks for the next call before it sleeps: for some 130 microseconds, as measured on an EPYC."""
YIELDS_AFTER = 32
"""Looks, a power of 2. The system may have put the thread for which it waits on the same processor."""
CALLS, DONE, ROWS, WIDTH, YIELD, WORDS = 0, 8, 16, 17, 18, 24
"""Words of a team, on different cache lines where different threads write them: how many calls were made; how many
parts of workers were done; the rows of the last call and their width; what lets other threads run. A row is what
passes a function its arguments, the function, and these."""
NAMES = ("work", "share", *(f"call_{count}" for count in range(1, MOST_ARGUMENTS + 1)))
PAUSES = dict.fromkeys(("aarch64", "arm64"), ("llvm.aarch64.hint", "i32 1")) | {"x86_64": ("llvm.x86.sse2.pause", "")}
"""What tells a processor that it waits, and its argument."""

TEXT = """
define i64 @work(ptr %team, i64 %part, i64 %before) {
start:
  %done_at = getelementptr i64, ptr %team, i64 $DONE
  br label %wait
wait:
  %seen = phi i64 [ %before, %start ], [ %next, %call ]
  %next = add i64 %seen, 1
  %calls = call i64 @waited(ptr %team, ptr %team, i64 %next, i64 $looks)
  %called = icmp eq i64 %calls, %next
  br i1 %called, label %call, label %end
call:
  call void @call_part(ptr %team, i64 %part)
  %parts = atomicrmw add ptr %done_at, i64 1 acq_rel
  br label %wait
end:
  ret i64 %seen
}

define void @share(ptr %team, i64 %parts) {
  %done_at = getelementptr i64, ptr %team, i64 $DONE
  %before = load atomic i64, ptr %done_at acquire, align 8
  %workers = sub i64 %parts, 1
  %wanted = add i64 %before, %workers
  %calls = atomicrmw add ptr %team, i64 1 acq_rel
  call void @call_part(ptr %team, i64 0)
  %done = call i64 @waited(ptr %team, ptr %done_at, i64 %wanted, i64 -1)
  ret void
}

define internal i64 @waited(ptr %team, ptr %word, i64 %wanted, i64 %most) {
start:
  %yield_at = getelementptr i64, ptr %team, i64 $YIELD
  %yield = load ptr, ptr %yield_at
  br label %look
look:
  %looks = phi i64 [ 0, %start ], [ %more, %idle ], [ %more, %others ]
  %now = load atomic i64, ptr %word acquire, align 8
  %is_there = icmp eq i64 %now, %wanted
  %tired = icmp eq i64 %looks, %most
  %over = or i1 %is_there, %tired
  br i1 %over, label %end, label %idle
idle:
  $pause
  %more = add i64 %looks, 1
  %low = and i64 %more, $often
  %turn = icmp eq i64 %low, 0
  br i1 %turn, label %others, label %look
others:
  %yielded = call i32 %yield()
  br label %look
end:
  ret i64 %now
}

define internal void @call_part(ptr %team, i64 %part) {
  %rows_at = getelementptr i64, ptr %team, i64 $ROWS
  %width_at = getelementptr i64, ptr %team, i64 $WIDTH
  %rows = load ptr, ptr %rows_at
  %width = load i64, ptr %width_at
  %begin = mul i64 %part, %width
  %row = getelementptr i64, ptr %rows, i64 %begin
  %caller = load ptr, ptr %row
  call void %caller(ptr %row)
  ret void
}
"""


def _caller(count: int) -> str:
    """Return the text of what calls the function of a row with so many words."""
    lines = [f"define void @call_{count}(ptr %row) {{"]
    for number in range(1, count + 2):
        lines.append(f"%at{number} = getelementptr i64, ptr %row, i64 {number}")
        lines.append(f"%word{number} = load {'ptr' if number == 1 else 'i64'}, ptr %at{number}")
    words = ", ".join(f"i64 %word{number}" for number in range(2, count + 2))
    return "\n".join([*lines, f"call void %word1({words})", "ret void", "}"])


@cache
def _code() -> MachineCode:
    """Return the machine code of teams."""
    name, number = PAUSES.get(binding.get_default_triple().partition("-")[0], ("", ""))
    words = {"DONE": DONE, "ROWS": ROWS, "WIDTH": WIDTH, "YIELD": YIELD}
    pause = f"call void @{name}({number})" if name else ""
    text = string.Template(TEXT).substitute(words, looks=LOOKS, often=YIELDS_AFTER - 1, pause=pause)
    text += f"declare void @{name}({number.removesuffix(' 1')})\n" if name else ""
    text += "\n".join(map(_caller, range(1, MOST_ARGUMENTS + 1)))
    return load_code("kernels", text.encode(), NAMES, lambda: object_code(text, long_loops=False))[0]


def call_rows(function: int, arguments: Sequence[Sequence[int]]) -> I64:
    """Return the rows of a call.

    Args:
        function: the address of one that returns nothing.
        arguments: for each part.
    """
    caller = _code().addresses[f"call_{len(arguments[0])}"]
    return np.array([(caller, function, *these) for these in arguments], np.int64)


class Team:
    """Threads that do the parts of native calls, together with the one that calls. They end when it is forgotten.

    Args:
        parts: of a call, at least 2.
    """

    def __init__(self, parts: int) -> None:
        self._words, self._calls = np.zeros(WORDS, np.int64), _Calls()
        library, name = ("kernel32", "SwitchToThread") if os.name == "nt" else (None, "sched_yield")
        self._words[YIELD] = ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p).value or 0
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        share = ctypes.CFUNCTYPE(None, pointer, number)(_code().addresses["share"])
        self._share = partial(share, pointer(self._words.ctypes.data), number(parts))
        for part in range(1, parts):
            arguments = (self._words, part, self._calls)
            threading.Thread(target=_work, args=arguments, name=f"batch-{part}", daemon=True).start()
        weakref.finalize(self, self._calls.end, os.getpid())

    def call(self, rows: I64) -> None:
        """Make a native call with each of the rows of `call_rows` and wait until all have returned."""
        self._words[ROWS], self._words[WIDTH] = rows.ctypes.data, rows.shape[1]
        self._calls.begin()
        self._share()


class _Calls:
    """How many calls a team was told to make, for the workers that sleep; -1 when it is forgotten."""

    def __init__(self) -> None:
        self._count, self._changed = 0, threading.Condition()

    def begin(self) -> None:
        """Wake whoever sleeps."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def end(self, process: int) -> None:
        """Let the workers return, if this is still their process: the lock of another may be held for ever."""
        if os.getpid() == process:
            with self._changed:
                self._count = -1
                self._changed.notify_all()

    def awaited(self, seen: int) -> bool:
        """Sleep until more calls begin; return False when none will come."""
        with self._changed:
            self._changed.wait_for(lambda: self._count != seen)
            return self._count >= 0


def _work(words: I64, part: int, calls: _Calls) -> None:
    """Do a part of each call."""
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    work = ctypes.CFUNCTYPE(number, pointer, number, number)(_code().addresses["work"])
    seen = 0
    while calls.awaited(seen):
        seen = work(words.ctypes.data, part, seen)
