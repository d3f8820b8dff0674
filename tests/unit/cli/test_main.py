"""The `ggp` command as a whole: interruptions."""

from __future__ import annotations

import ctypes
import signal
import sys
import time

import pytest

from ggp.cli.main import interrupt_again


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
