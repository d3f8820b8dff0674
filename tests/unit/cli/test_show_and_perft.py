"""`ggp show --as` prints what one player knows of a play, and nothing else; `ggp perft` counts plays."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ggp.cli.arguments import BadArgument
from ggp.cli.main import app
from tests.support.command_line import run, told


def lived(role: str, seed: int) -> list[str]:
    text = run("show", "kuhn_poker", "--as", role, "--seed", str(seed))
    return text.split(" sees it, ")[1].splitlines()[2:]


def test_a_play_as_one_player_lives_it_has_what_it_does_and_sees_and_may_do() -> None:
    lines = lived("first", 0)
    assert lines[0].startswith("saw a = ")
    assert lines[1] == "may choose: pass, bet"
    assert lines[2] in ("chose pass", "chose bet")
    assert not any("b = " in line or "cards" in line for line in lines)


def test_boards_are_drawn_without_blanks_at_the_ends_of_lines() -> None:
    lines = run("show", "tron", "--transitions", "1").splitlines()
    assert "13 . . . . . . . . . . . . B" in lines
    assert not any(line.endswith(" ") for line in lines)


def test_plays_that_a_player_cannot_tell_apart_read_the_same_until_the_end() -> None:
    plays: dict[str, set[str]] = {}
    for seed in range(30):
        *before, _, end = lived("second", seed)
        plays.setdefault("\n".join(before), set()).add(end)
    assert any(len(ends) > 1 for ends in plays.values())
    assert all(end.startswith("utilities: ") for ends in plays.values() for end in ends)


def test_a_draw_in_several_transitions_is_listed_once_with_all_that_it_tells(tmp_path: Path) -> None:
    file = tmp_path / "deal.rules"
    file.write_text(
        """game deal "Two hands"
players ann, bob
state
    deck: set of 1..40 = all
    hand: set of 1..40 = {}
phase deal
    chance draws x in 2 of deck, y in 5 of deck - x
    hand := x + y
    sees ann: x
    sees bob: count(y)
    next end
payoff[p] = count(hand)
""",
        encoding="utf-8",
    )
    told = ["    ann sees: x", "    bob sees: count(y)"]
    listed = ["phase deal", "    chance draws x in 2 of deck, y in 5 of deck - x    in 7 transitions", *told]
    shown, checked = run("show", str(file)), run("check", str(file), "--games", "20")
    assert all("\n".join(["", *listed, "", ""]) in lines for lines in (shown, checked))
    assert [line for line in checked.splitlines() if line.startswith("deal,")] == ["deal, chance  37.0    40"]


def test_kinds_of_moves_are_listed_as_an_author_may_write_them(tmp_path: Path) -> None:
    written = "    black chooses\n        drop by c in cell\n        halt where 3 > 1\n"
    file = tmp_path / "go.rules"
    head = 'game go "Go"\nplayers black, white\nboard cell = grid(2, 2)\nphase go\n'
    file.write_text(f"{head}{written}    next end\npayoff[p] = 0\n", encoding="utf-8")
    assert f"phase go\n{written}" in run("show", str(file))


def test_a_play_as_json_is_the_play_that_is_printed() -> None:
    shown = told("show", "kuhn_poker", "--seed", "3", "-p", "cards=4")
    text = run("show", "kuhn_poker", "--seed", "3", "-p", "cards=4")
    assert shown["parameters"] == [{"name": "cards", "value": "4", "default": "3", "takes": "2..13", "comment": ""}]
    assert [phase["phase"] for phase in shown["phases"]] == ["deal", "bet"]
    assert shown["phases"][1]["choices"] == [{"who": "turn chooses", "kinds": ["what in call"]}]
    assert shown["sees"] == told("check", "kuhn_poker", "--games", "1")["sees"]
    steps = [
        f"{one['phase']}: {who + ' ' if one['phase'] == 'bet' else ''}{choice}"
        for one in shown["play"]
        for who, choice in one["chosen"].items()
    ]
    assert [line for line in text.splitlines() if line.startswith(("deal: ", "bet: "))] == steps
    assert all("\n".join(one["drawing"]) in text for one in shown["play"])
    assert sum(shown["utilities"].values()) == 0
    assert told("show", "kuhn_poker", "--seed", "3", "--transitions", "1")["utilities"] is None


def test_a_play_as_json_for_one_player_has_what_it_lives() -> None:
    shown = told("show", "kuhn_poker", "--as", "first", "--seed", "0")
    assert shown["as"] == "first"
    printed = [line for line in lived("first", 0) if not line.startswith(("may choose", "utilities"))]
    assert [line for one in shown["play"] for line in one["lived"]] == printed[: -1 if printed[-1] == "" else None]
    assert all("b = " not in line for one in shown["play"] for line in one["lived"])
    assert shown["play"][1]["legal"] == ["pass", "bet"]
    assert shown["drawing"] is None


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match="cannot be written"):
        run("show", "tic_tac_toe", "--svg", str(tmp_path / "missing" / "x.svg"))


def test_every_command_that_prints_results_prints_them_as_json() -> None:
    context = click.Context(app)
    commands = {name: app.get_command(context, name) for name in app.list_commands(context)}
    without = {
        name
        for name, command in commands.items()
        if command and not isinstance(command, click.Group) and not any("--json" in one.opts for one in command.params)
    }
    assert without == {"fmt", "play", "studio", "lsp"}


def test_an_unknown_role_is_told() -> None:
    with pytest.raises(BadArgument, match="no role `third`; its roles are first, second"):
        run("show", "kuhn_poker", "--as", "third")


def test_plays_are_counted() -> None:
    assert told("perft", "tic_tac_toe", "--depth", "4") == {
        "nodes": [9, 72, 504, 3024],
        "faults": 0,
    }
    assert "504" in run("perft", "tic_tac_toe", "--depth", "3")


@pytest.mark.parametrize(
    ("said", "line"), [("", "ggp: stopped\n"), ("stopped after 3 games", "ggp: stopped after 3 games\n")]
)
def test_an_interrupted_command_says_so_in_one_line(said: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt(said)

    monkeypatch.setattr("ggp.solvers.worlds.play_counts.count_plays", interrupted)
    result = CliRunner().invoke(app, ["perft", "nim", "--depth", "2"])
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", line)
