"""Ctrl-C where no exception can pass: it waits, and is not lost."""

from __future__ import annotations

import ctypes
import signal
import sys
import time

import pytest
from llvmlite.binding import ExecutionEngine

from ggp.cli.interrupts import CALLED_FROM_LLVM, interrupt, interrupt_again


def test_an_interruption_in_a_callback_from_c_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "unraisablehook", interrupt_again)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupted_at = []

    @ctypes.CFUNCTYPE(None)
    def callback() -> None:
        interrupted_at.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    try:
        callback()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(30)
    finally:
        signal.signal(signal.SIGINT, before)
    assert interrupted_at
    assert time.monotonic() - interrupted_at[0] < 20


def test_other_errors_in_callbacks_are_shown(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setattr(sys, "unraisablehook", interrupt_again)

    @ctypes.CFUNCTYPE(None)
    def callback() -> None:
        raise ValueError("milk")

    callback()
    assert "ValueError: milk" in capsys.readouterr().err


def test_an_interruption_waits_while_llvm_calls() -> None:
    """The function has the name of llvmlite's."""
    before = signal.signal(signal.SIGINT, interrupt)
    steps = []

    def _raw_object_cache_notify() -> None:
        signal.raise_signal(signal.SIGINT)
        steps.append("done")

    try:
        _raw_object_cache_notify()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(30)
    finally:
        signal.signal(signal.SIGINT, before)
    assert steps == ["done"]


def test_llvmlite_still_has_these_functions() -> None:
    for name in CALLED_FROM_LLVM:
        assert callable(getattr(ExecutionEngine, name))


def test_an_interruption_elsewhere_is_one_at_once() -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupt(signal.SIGINT, sys._getframe())
