"""`docs/measuring.md` and `docs/matches.md`: their examples produce the output shown, their options are the commands'.

Exact values must be those shown; of what players do by chance the form is compared.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ggp.cli.main import app

DOCS = Path(__file__).parents[3] / "docs"
PAGES = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("measuring", "matches")}
EXAMPLES = [
    example
    for page in PAGES.values()
    for example in re.findall(r"^```console\n\$ ggp (.*?)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
]


def form(text: str) -> list[list[str]]:
    """Return the words of each line, with every number as #: what players draw changes with every version of them."""
    return [re.sub(r"-?\d[\d,.]*(e-\d+)?", "#", re.sub("━+", "━", line)).split() for line in text.splitlines()]


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_examples_give_what_they_show(command: str, shown: str) -> None:
    name, *arguments = shlex.split(command)
    # the result is the same in any number of processes, and starting them takes longer than these examples
    jobs = [] if name == "solve" else ["--jobs", "1"]
    result = CliRunner().invoke(app, [name, *arguments, *jobs], env={"COLUMNS": "100"})
    assert result.exit_code == 0
    if name == "solve":
        assert result.stdout == shown
    assert form(result.stdout) == form(shown)


def options_of(name: str) -> set[str]:
    command = app.get_command(click.Context(app), name)
    return {option for parameter in command.params for option in parameter.opts if option.startswith("--")}


def table_after(page: str, heading: str) -> str:
    return page[page.index(heading) :].partition("| option")[2].partition("\n\n")[0]


@pytest.mark.parametrize("name", ["solve", "exploit"])
def test_options_of_measures(name: str) -> None:
    told = set(re.findall(r"`(--[a-z-]+)`", table_after(PAGES["measuring"], f"## `ggp {name}`")))
    assert told == options_of(name) - {"--param"}


@pytest.mark.parametrize(("name", "column"), [("match", 1), ("tournament", 2)])
def test_options_of_matches(name: str, column: int) -> None:
    lines = table_after(PAGES["matches"], "## Options").splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    told = {re.findall(r"--[a-z-]+", row[0])[0] for row in cells if row[column] == "yes" and "--" in row[0]}
    assert told == options_of(name) - {"--param"}
