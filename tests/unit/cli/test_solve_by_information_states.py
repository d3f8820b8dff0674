"""`ggp solve` with hidden information."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from ggp.cli.main import app
from ggp.errors import GgpError
from ggp.language.library import load_rules
from ggp.rules_compiler.loading import load
from ggp.solvers.sequence_form.best_responses import responses
from ggp.solvers.sequence_form.strategy_files import write_strategies
from ggp.solvers.sequence_form.strategy_records import StrategyRecord, strategies_of_records
from ggp.solvers.sequence_form.unfolding import information_tree
from tests.support import command_line

run, told = partial(command_line.run, "solve"), partial(command_line.told, "solve")


def test_kuhn_poker_is_printed_by_information_state() -> None:
    lines = run("kuhn_poker").splitlines()
    assert lines[0] == "value to first: -0.0555555556"
    assert "first knows" in lines[5]
    plays = {line.split("  ")[0]: line.split("  ")[-1].strip() for line in lines}
    # with a bet to call, the least card folds and the greatest never does; the one between calls a third of the time
    assert plays["b: 1 | move: bet"] == "pass 1"
    assert plays["b: 3 | move: bet"] == "bet 1"
    assert plays["b: 2 | move: bet"] == "pass 0.6667, bet 0.3333"


ONE_PLAYER = """
game two_doors "A prize behind one of two doors, one of which is the likelier, and a paid look behind the first"
players seeker
type plan = {look, trust}
state
    prize: 1..2 = 1
    won: -1..10 = 0
phase hide
    chance draws door in 1..2 weight door
    prize := door
    sees nothing
    next look
phase look
    seeker chooses what in plan
    won := -1 if what == look
    sees seeker: prize if what == look
    next open
phase open
    seeker chooses door in 1..2
    won := won + 10 if door == prize
    next end
payoff[p] = won
"""


def test_a_single_player_plays_a_best_response(tmp_path: Path) -> None:
    path = tmp_path / "two_doors.rules"
    path.write_text(ONE_PLAYER)
    facts = told(str(path))
    # looking costs 1 and finds the prize for certain: 9; trusting the likelier door wins 10 two times in three
    assert facts["value"] == [pytest.approx(9)]
    assert facts["strategy"]["seeker"] == {"look": 1.0, "trust": 0.0}
    assert "by a best response" in run(str(path))


def test_json_has_the_agreed_keys() -> None:
    facts = told("kuhn_poker")
    assert facts["value"] == pytest.approx([-1 / 18, 1 / 18])
    assert facts["method"] == "sequence-form"
    assert facts["information_states"] == 12
    assert sum(facts["strategy"]["first"].values()) == pytest.approx(1)
    assert [one["probability"] for one in facts["first_decisions"]] == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("method", ["cfr+", "dcfr", "pcfr+"])
def test_methods_that_iterate(method: str) -> None:
    facts = told("kuhn_poker", "--method", method, "--iterations", "500")
    assert facts["iterations"] == 500
    assert facts["iterations_per_s"] > 0
    assert 0 <= facts["nash_conv"] < 0.02
    course = [stand["nash_conv"] for stand in facts["course"]]
    assert course[-1] == facts["nash_conv"] < course[0]
    assert "NashConv" in run("kuhn_poker", "--method", method, "--iterations", "50")


def test_a_saved_strategy_can_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "leduc.json"
    run("poker", "--save", str(path))
    saved = json.loads(path.read_text())
    assert saved["game"] == "poker"
    assert len(saved["information_states"]) == 288
    game = load("poker")
    tree = information_tree(game.native())
    strategies = strategies_of_records(game, tree, saved["information_states"])
    assert responses(tree, strategies).nash_conv < 1e-9
    result = CliRunner().invoke(app, ["exploit", "poker", str(path), "--json"])
    assert json.loads(result.stdout)[0]["nash_conv"] < 1e-9
    # and measured by a walk, where the game would not fit
    monkeypatch.setattr("ggp.cli.tree_size.WALKED_FROM", 0)
    result = CliRunner().invoke(app, ["exploit", "poker", str(path), "--json", "--max-memory", "0.1"])
    assert "walks through" in result.stderr
    assert json.loads(result.stdout)[0]["nash_conv"] < 1e-9
    with pytest.raises(GgpError, match="no information state"):
        strategies_of_records(game, tree, [{**saved["information_states"][0], "key": "0" * 32}])


def test_a_saved_strategy_is_refused_for_another_game(tmp_path: Path) -> None:
    path, text = tmp_path / "kuhn.json", load_rules("kuhn_poker")[0].text
    run("kuhn_poker", "--save", str(path))
    same, longer = tmp_path / "kuhn_poker.rules", tmp_path / "kuhn_poker_longer.rules"
    same.write_text(text)
    longer.write_text(text.replace("if p in betting then 2 else 1", "if p in betting then 3 else 1"))

    def measured(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["exploit", *arguments])
        return result.stdout or str(result.exception)

    assert "NashConv" in measured("kuhn_poker", str(path))
    assert "NashConv" in measured(str(same), str(path))
    assert "for `kuhn_poker` with cards=3, not with cards=5" in measured("kuhn_poker", "-p", "cards=5", str(path))
    assert "for other rules of `kuhn_poker`" in measured(str(longer), str(path))
    assert "for `kuhn_poker`, not for `poker`" in measured("poker", str(path))
    path.write_text(path.read_text()[:1000])
    assert "cut off before its end" in measured("kuhn_poker", str(path))
    path.write_text(path.read_text()[:100])
    assert "was not written by" in measured("kuhn_poker", str(path))


def test_an_interrupted_save_keeps_the_strategies_that_were_there(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    run("kuhn_poker", "--save", str(path))
    before = path.read_bytes()

    def interrupted() -> Iterator[StrategyRecord]:
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        write_strategies(path, load("kuhn_poker"), {}, interrupted())
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["kuhn.json"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("kuhn_poker_three",), "3 players"),
        (("sealed_auction",), "constant sum|players"),
        (("kuhn_poker", "--method", "backward-induction"), "hides information"),
        (("kuhn_poker", "--method", "magic"), "no method `magic`"),
        (("kuhn_poker", "--method", "sequence-form", "--seconds", "1"), "is not one"),
        (("kuhn_poker", "--save", "/nowhere/at/all.json"), "cannot save"),
        (("phantom_tic_tac_toe", "--max-memory", "0.05"), "more than 0.05 GiB"),
    ],
)
def test_refusals(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(GgpError, match=message):
        run(*arguments)


def test_games_that_hide_nothing_can_be_solved_by_information_states_too() -> None:
    facts = told("goofspiel", "-p", "n=3", "--method", "sequence-form")
    assert facts["value"] == pytest.approx([0, 0], abs=1e-9)
    assert told("goofspiel", "-p", "n=3")["method"] == "backward induction"
