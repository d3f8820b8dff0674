"""Threads that share native calls, all of it without the interpreter's lock.

A transition of a few thousand games takes tens of microseconds, less than it takes to wake a sleeping thread. So a
worker goes on looking for the next call for a moment, and sleeps only when none comes.
"""

from __future__ import annotations

import ctypes
import os
import string
import threading
import weakref
from functools import cache
from typing import Any

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
LINE = 8
"""Words of a cache line: what different threads write stands on different ones."""
WORDS = ("epoch", "left", "done", "caller", "function", "rows", "width", "acquire", "release", "yield", "stop")
"""What stands on the first lines: the number of the last call, how many workers are not done with it, how many calls
are done; what passes a function its arguments, the function, the arguments of each part, how many there are; the
functions of Python's locks, the one that lets other threads run, and whether the team ends. A line for each thread
follows, first the one that calls: whether it sleeps, and the lock for which it waits then. A thread that is woken looks
again: who was to wake it may have come too late, when it slept for another reason."""
ASLEEP = LINE * len(WORDS)
NAMES = ("work", "share", "end", *(f"call_{count}" for count in range(1, MOST_ARGUMENTS + 1)))
PAUSES = dict.fromkeys(("aarch64", "arm64"), ("llvm.aarch64.hint", "i32 1")) | {"x86_64": ("llvm.x86.sse2.pause", "")}
"""What tells a processor that it waits, and its argument."""

TEXT = """
define void @work(ptr %team, i64 %part) {
start:
  $epoch
  $left
  $done
  $stop
  br label %wait
wait:
  %before = phi i64 [ 0, %start ], [ %now, %call ], [ %now, %tell ]
  %now = call i64 @changed(ptr %team, ptr %epoch_at, i64 %before, i64 %part)
  %stop = load atomic i64, ptr %stop_at seq_cst, align 8
  %stopped = icmp ne i64 %stop, 0
  br i1 %stopped, label %end, label %call
call:
  call void @call_part(ptr %team, i64 %part)
  %others = atomicrmw sub ptr %left_at, i64 1 acq_rel
  %last = icmp eq i64 %others, 1
  br i1 %last, label %tell, label %wait
tell:
  %calls = atomicrmw add ptr %done_at, i64 1 seq_cst
  call void @wake(ptr %team, i64 0, i64 1)
  br label %wait
end:
  ret void
}

define void @share(ptr %team, ptr %caller, ptr %function, ptr %rows, i64 %width, i64 %parts) {
  $epoch
  $left
  $done
  $caller
  $function
  $rows
  $width
  %workers = sub i64 %parts, 1
  store ptr %caller, ptr %caller_at
  store ptr %function, ptr %function_at
  store ptr %rows, ptr %rows_at
  store i64 %width, ptr %width_at
  %before = load atomic i64, ptr %done_at acquire, align 8
  store atomic i64 %workers, ptr %left_at release, align 8
  %last = atomicrmw add ptr %epoch_at, i64 1 seq_cst
  call void @wake(ptr %team, i64 1, i64 %parts)
  call void @call_part(ptr %team, i64 0)
  %now = call i64 @changed(ptr %team, ptr %done_at, i64 %before, i64 0)
  ret void
}

define internal i64 @changed(ptr %team, ptr %word, i64 %before, i64 %part) {
start:
  $acquire
  %acquire = load ptr, ptr %acquire_at
  %line = shl i64 %part, 3
  %lines = getelementptr i64, ptr %team, i64 $asleep
  %asleep_at = getelementptr i64, ptr %lines, i64 %line
  %lock_at = getelementptr i64, ptr %asleep_at, i64 1
  %lock = load ptr, ptr %lock_at
  br label %look
look:
  %looks = phi i64 [ 0, %start ], [ %more, %idle ], [ 0, %retract ], [ 0, %sleep ]
  %now = load atomic i64, ptr %word acquire, align 8
  %differs = icmp ne i64 %now, %before
  br i1 %differs, label %end, label %idle
idle:
  call void @let_run(ptr %team, i64 %looks)
  %more = add i64 %looks, 1
  %tired = icmp sge i64 %more, $looks
  br i1 %tired, label %lie_down, label %look
lie_down:
  %was = atomicrmw xchg ptr %asleep_at, i64 1 seq_cst
  %again = load atomic i64, ptr %word seq_cst, align 8
  %missed = icmp ne i64 %again, %before
  br i1 %missed, label %retract, label %sleep
retract:
  %exchange = cmpxchg ptr %asleep_at, i64 1, i64 0 seq_cst seq_cst
  %awake = extractvalue { i64, i1 } %exchange, 1
  br i1 %awake, label %look, label %sleep
sleep:
  %acquired = call i32 %acquire(ptr %lock, i32 1)
  br label %look
end:
  ret i64 %now
}

define void @end(ptr %team, i64 %parts) {
  $epoch
  $stop
  store atomic i64 1, ptr %stop_at seq_cst, align 8
  %last = atomicrmw add ptr %epoch_at, i64 1 seq_cst
  call void @wake(ptr %team, i64 1, i64 %parts)
  ret void
}

define internal void @wake(ptr %team, i64 %first, i64 %behind) {
start:
  $release
  %release = load ptr, ptr %release_at
  %lines = getelementptr i64, ptr %team, i64 $asleep
  br label %next
next:
  %part = phi i64 [ %first, %start ], [ %following, %on ]
  %line = shl i64 %part, 3
  %asleep_at = getelementptr i64, ptr %lines, i64 %line
  %asleep = atomicrmw xchg ptr %asleep_at, i64 0 seq_cst
  %sleeps = icmp ne i64 %asleep, 0
  br i1 %sleeps, label %wake, label %on
wake:
  %lock_at = getelementptr i64, ptr %asleep_at, i64 1
  %lock = load ptr, ptr %lock_at
  call void %release(ptr %lock)
  br label %on
on:
  %following = add i64 %part, 1
  %goes_on = icmp slt i64 %following, %behind
  br i1 %goes_on, label %next, label %end
end:
  ret void
}

define internal void @let_run(ptr %team, i64 %looks) {
  $pause
  %low = and i64 %looks, $often
  %turn = icmp eq i64 %low, $often
  br i1 %turn, label %others, label %end
others:
  $yield
  %yield = load ptr, ptr %yield_at
  %yielded = call i32 %yield()
  br label %end
end:
  ret void
}

define internal void @call_part(ptr %team, i64 %part) {
  $caller
  $function
  $rows
  $width
  %caller = load ptr, ptr %caller_at
  %function = load ptr, ptr %function_at
  %rows = load ptr, ptr %rows_at
  %width = load i64, ptr %width_at
  %begin = mul i64 %part, %width
  %row = getelementptr i64, ptr %rows, i64 %begin
  call void %caller(ptr %function, ptr %row)
  ret void
}
"""


def _caller(count: int) -> str:
    """Return the text of what calls a function with so many words of a row."""
    lines = [f"define void @call_{count}(ptr %function, ptr %row) {{"]
    for number in range(count):
        lines.append(f"%at{number} = getelementptr i64, ptr %row, i64 {number}")
        lines.append(f"%word{number} = load i64, ptr %at{number}")
    words = ", ".join(f"i64 %word{number}" for number in range(count))
    return "\n".join([*lines, f"call void %function({words})", "ret void", "}"])


@cache
def _code() -> MachineCode:
    """Return the machine code of teams."""
    name, number = PAUSES.get(binding.get_default_triple().partition("-")[0], ("", ""))
    values = {word: f"%{word}_at = getelementptr i64, ptr %team, i64 {LINE * at}" for at, word in enumerate(WORDS)}
    pause = f"call void @{name}({number})" if name else ""
    text = string.Template(TEXT).substitute(values, looks=LOOKS, often=YIELDS_AFTER - 1, asleep=ASLEEP, pause=pause)
    text += f"declare void @{name}({number.removesuffix(' 1')})\n" if name else ""
    text += "\n".join(map(_caller, range(1, MOST_ARGUMENTS + 1)))
    return load_code("kernels", text.encode(), NAMES, lambda: object_code(text, long_loops=False))[0]


class Team:
    """Threads that do the parts of native calls, together with the one that calls. They end when it is forgotten.

    Args:
        parts: of a call, at least 2.
    """

    def __init__(self, parts: int) -> None:
        words = np.zeros(ASLEEP + LINE * parts, np.int64)
        python = ctypes.pythonapi  # these functions belong to its stable interface, and need no interpreter's lock
        python.PyThread_allocate_lock.restype = ctypes.c_void_p
        locks = [python.PyThread_allocate_lock() for _ in range(parts)]
        for part, lock in enumerate(locks):
            python.PyThread_acquire_lock(ctypes.c_void_p(lock), 1)
            words[ASLEEP + LINE * part + 1] = lock
        for name in ("acquire", "release"):
            function = ctypes.cast(getattr(python, f"PyThread_{name}_lock"), ctypes.c_void_p)
            words[LINE * WORDS.index(name)] = function.value or 0
        library, name = ("kernel32", "SwitchToThread") if os.name == "nt" else (None, "sched_yield")
        function = ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p)
        words[LINE * WORDS.index("yield")] = function.value or 0
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        addresses = _code().addresses
        self._parts, self._at = parts, pointer.from_param(words.ctypes.data)
        self._share = ctypes.CFUNCTYPE(None, *[pointer] * 4, number, number)(addresses["share"])
        work = ctypes.CFUNCTYPE(None, pointer, number)(addresses["work"])
        threads = [
            threading.Thread(target=work, args=(self._at, part), name=f"batch-{part}", daemon=True)
            for part in range(1, parts)
        ]
        for thread in threads:
            thread.start()
        weakref.finalize(self, _end, words, threads, locks)

    def call(self, function: int, rows: I64) -> None:
        """Call a native function with each row of words, `[parts, arguments]`, and wait until all have returned.

        Args:
            function: the address of one that returns nothing.
            rows: what it is given.
        """
        width = rows.shape[1]
        self._share(self._at, _code().addresses[f"call_{width}"], function, rows.ctypes.data, width, self._parts)


def _end(words: I64, threads: list[threading.Thread], locks: list[Any]) -> None:
    """Let the workers of a team return, and free their locks."""
    end = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(_code().addresses["end"])
    end(words.ctypes.data, len(locks))
    for thread in threads:
        thread.join()
    for lock in locks:
        ctypes.pythonapi.PyThread_free_lock(ctypes.c_void_p(lock))
