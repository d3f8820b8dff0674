"""Runs the tutorial: writes its files and runs its commands, in order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ggp.language.text.formatter import format_rules
from ggp.language.text.source import SourceFile

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
PATIENCE_S = 240


@dataclass(frozen=True)
class Block:
    kind: str
    name: str
    text: str


BLOCKS = [
    Block(match[1], match[2].strip(), match[3])
    for match in re.finditer(r"^```(\w+)([^\n]*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
]


def run(command: str, folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    words = command.split()
    assert words[0] == "ggp"
    return subprocess.run(
        [sys.executable, "-m", "ggp", *words[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def as_shown(output: str, shown: list[str]) -> bool:
    """Whether an output is as shown, a line `...` standing for any number of lines."""
    pattern = "".join(r"(?s:.*)" if line == "..." else re.escape(line) + r"\n" for line in shown)
    return re.fullmatch(pattern, output) is not None


@pytest.mark.long
def test_the_tutorial_from_beginning_to_end(tmp_path: Path) -> None:
    commands = 0
    for block in BLOCKS:
        if block.kind == "rules":
            (tmp_path / block.name).write_text(block.text, encoding="utf-8")
        if block.kind != "console":
            continue
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
            is_play = block.name == "play"
            # The number 1 can always be named; a game asks less often than that. Nobody waits here for rm, nor for
            # random games that nothing shown comes from.
            less = " --play-clock 0.05" * is_play + " --seconds 0.1" * (
                " check " in command and not re.search("random games|symmetric", shown)
            )
            done = run(command + less, tmp_path, typed="1\n" * 100 * is_play)
            assert done.returncode == (1 if block.name == "error" else 0), (command, done.stdout, done.stderr)
            assert "Traceback" not in done.stderr, command
            if shown:
                assert as_shown(done.stdout + done.stderr, shown.splitlines()), (command, done.stdout, done.stderr)
            if is_play:
                assert "the game is over" in done.stdout
            if " match " in command:
                wins = re.search(r"\brm\D+(\d+)", done.stdout)
                assert wins is not None
                # The page speaks of three games of four; five standard errors below are 53.
                assert int(wins[1]) >= 53
            commands += 1
    assert commands >= 8


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.kind == "rules"], ids=lambda block: block.name)
def test_its_files_are_in_the_format(block: Block) -> None:
    formatted, _ = format_rules(SourceFile(block.name, block.text))
    assert formatted == block.text


def test_what_it_points_to_is_there() -> None:
    for name in re.findall(r"\]\((\w+\.md)\)", TEXT):
        assert (ROOT / "docs" / name).is_file(), name
    for name in re.findall(r"`(\w+\.rules)`", TEXT):
        assert (ROOT / "rules" / name).is_file() or any(block.name == name for block in BLOCKS), name


@pytest.mark.parametrize(("name", "example"), [("undercut.rules", "undercut"), ("hidden.rules", "hidden_undercut")])
def test_its_files_are_among_the_examples(name: str, example: str) -> None:
    *_, last = [block.text for block in BLOCKS if block.name == name]
    assert (ROOT / f"docs/examples/{example}.rules").read_text(encoding="utf-8") == last
