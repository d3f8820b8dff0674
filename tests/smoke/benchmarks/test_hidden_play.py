"""What is told of decisions with hidden information, on a game where all that fits is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ggp
from benchmarks.hidden_play import main, play, summary


class Counted:
    """A clock that goes on by a millisecond whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.004
        return self.now


def test_every_decision_is_told() -> None:
    decisions = play(ggp.load("kuhn_poker"), ["ismcts", "random"], 3, 0.05, Counted())
    searched = [decision for decision in decisions if decision.held]
    assert 1 <= len(searched) < len(decisions)
    for decision in searched:
        assert decision.held == 2  # the two cards that the other can have
        assert decision.exact
        assert decision.true_held
        assert decision.effective == pytest.approx(2, abs=1e-9) or decision.transition > 1
        assert 0 < decision.used < 1.5
    told = summary(searched)
    assert told["found"] == told["true_held"] == told["exact"] == 1.0


def test_the_command_writes_all_decisions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["kuhn_poker", "--players", "ismcts", "--clock", "0.02", "--json", str(tmp_path / "told.json")])
    (game,) = json.loads((tmp_path / "told.json").read_text())
    assert game["decisions"] == len(game["each"]) >= 2
    assert json.loads(capsys.readouterr().out)["game"] == "kuhn_poker"
