"""Commands whose output is no terminal, or one that knows only ASCII."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def ggp(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "ggp.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, check=False, env={**os.environ, **environment})


@pytest.mark.parametrize("arguments", [("show", "einstein"), ("check", "einstein", "--seconds", "0.2")])
def test_letters_that_the_terminal_lacks_are_question_marks(arguments: tuple[str, ...]) -> None:
    done = ggp(*arguments, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert b"?" in done.stdout


@pytest.mark.long
def test_what_is_compiled_is_said_once(tmp_path: Path) -> None:
    match = ("match", "tic_tac_toe", "mcts", "random", "--games", "1", "--iterations", "5")
    first, second = (ggp(*match, GGP_CACHE=str(tmp_path)) for _ in range(2))
    assert first.returncode == second.returncode == 0
    assert first.stderr.count(b"ggp: compiling kernels of mcts (only once on this machine)") == 1
    assert b"compiling" not in second.stderr
