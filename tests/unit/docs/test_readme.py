"""The README agrees with the code: its files, its Python, and the options of its commands."""

import re
import shlex
import subprocess
from pathlib import Path

import click
import pytest

from ggp.cli.main import app

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.split("#")[0].strip()
    for language, block in BLOCKS
    if language == "sh"
    for line in block.replace("\\\n", " ").splitlines()
    if line.startswith("ggp ")
]


def blocks(language: str) -> list[str]:
    return [block for found, block in BLOCKS if found == language]


def test_the_game_shown_is_the_library_s():
    (shown,) = blocks("rules")
    rules = (ROOT / "rules" / "tron.rules").read_text(encoding="utf-8")
    assert shown == rules[rules.index("game tron") :]
    assert len(shown.splitlines()) <= 35


def test_the_player_shown_is_the_example():
    assert (ROOT / "docs/examples/first_player.py").read_text(encoding="utf-8") in blocks("python")


def test_the_python_shown_runs():
    (example,) = [block for block in blocks("python") if "ggp.load" in block]
    names: dict[str, object] = {}
    exec(example, names)
    assert names["state"].is_terminal()  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_understood(command: str):
    _, name, *arguments = shlex.split(command)
    subcommand = app.get_command(click.Context(app), name)
    subcommand.make_context(name, arguments)


def test_links_lead_somewhere():
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), (page, target)


def test_what_the_demonstration_shows_in_a_browser_is_built_for_it():
    made = subprocess.run(["make", "--dry-run", "--always-make", "demo"], cwd=ROOT, capture_output=True, text=True)
    assert "npm run --silent build" in made.stdout.partition("experiments.demo")[0], made.stderr
