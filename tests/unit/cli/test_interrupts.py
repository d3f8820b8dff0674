"""Ctrl-C where no exception can pass: it is delayed, and not lost."""

from __future__ import annotations

import ctypes
import signal
import sys
import time
from collections.abc import Iterator
from importlib.abc import MetaPathFinder

import click
import pytest

import ggp.__main__
from ggp.cli.interrupts import Interrupts


@pytest.fixture(autouse=True)
def handled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "unraisablehook", None)  # to be set back
    before = signal.getsignal(signal.SIGINT)
    Interrupts().handle()
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_is_one_at_once() -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_interruption_that_is_dropped_comes_again() -> None:
    callback = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))
    callback()
    with pytest.raises(KeyboardInterrupt):
        time.sleep(30)


def test_other_errors_in_callbacks_are_shown_until_an_interruption(capsys: pytest.CaptureFixture[str]) -> None:
    @ctypes.CFUNCTYPE(None)
    def callback() -> None:
        raise ValueError("milk")

    callback()
    assert "ValueError: milk" in capsys.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    callback()
    assert capsys.readouterr().err == ""


def test_an_interruption_of_the_start_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While the command's modules are imported, and while it reads its arguments."""

    class Interrupted(MetaPathFinder):
        def find_spec(self, name: str, *_: object) -> None:
            if name == "ggp.cli.main":
                raise KeyboardInterrupt

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.delitem(sys.modules, "ggp.cli.main", raising=False)
        patch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
        with pytest.raises(SystemExit, match="130"):
            ggp.__main__.main()
    monkeypatch.setattr(click.Group, "make_context", interrupted)
    with pytest.raises(SystemExit, match="130"):
        ggp.__main__.main()
    assert capsys.readouterr().err == "ggp: stopped\n" * 2
