"""The files that come with the library: each fits its game, is small, and has been shown to make a player stronger."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

import ggp
from experiments.library_estimates import MINUTES
from players.agents.candidates import candidates_for, policy_player, reading
from players.learning.blueprints import about_blueprint_of
from players.learning.files import ESTIMATES, found_file, read_learned
from players.learning.policy_files import read_policy

FILES = sorted(Path(str(files("rules"))).glob(f"*{ESTIMATES.suffix}"))


@pytest.mark.sweep
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_the_library(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    game = ggp.load(path.stem)
    learned = read_learned(path, game)
    assert learned.about["strength"]["ci95"][0] > 0.5
    assert path.stat().st_size < 500_000
    assert learned.about["minutes"] == pytest.approx(MINUTES[path.stem], abs=0.01)  # it can be made again
    assert found_file(game) == str(path)
    # it is played unless a test shows that another player is stronger
    assert candidates_for(game).players[0] == reading(learned.about["strength"]["player"], str(path))


def test_the_blueprint_of_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (path,) = Path(str(files("rules"))).glob("*.blueprint")
    game = ggp.load(path.stem)
    about = about_blueprint_of(game, path)
    assert about["strength"]["gain95"][0] > 0
    assert path.stat().st_size < 1_000_000
    assert candidates_for(game).players == (f"blueprint:file={path}",)
    assert candidates_for(ggp.load(path.stem, raises=2)).players == ("ismcts",)  # it is of other parameters


def test_the_policy_of_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (path,) = Path(str(files("rules"))).glob("*.policy")
    game = ggp.load(path.stem)
    assert read_policy(path, game)[1]["strength"]["ci95"][0] > 0.5
    assert path.stat().st_size < 100_000
    assert candidates_for(game).players[0] == policy_player(str(path))
    assert not any("policy" in player for player in candidates_for(ggp.load(path.stem, size=5)).players)
