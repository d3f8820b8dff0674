"""Plays of a game as a page plays them: the WebAssembly and the scripts of the page, run by node."""

from __future__ import annotations

import atexit
import base64
import json
import random
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest

from ggp.game.game import Game
from ggp.game.state import State
from studio.one_page.compiled_game import compiled_game

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
BUNDLES = TemporaryDirectory()
atexit.register(BUNDLES.cleanup)
ESBUILD = ROOT / "web/node_modules/.bin/esbuild"
needs_node = pytest.mark.skipif(
    NODE is None or not ESBUILD.exists(), reason="no node here, or not what the pages are built with: run `make web`"
)


@cache
def _bundled(script: str) -> Path:
    """Return a TypeScript file beside this one with all that it imports, as JavaScript."""
    bundled = Path(BUNDLES.name) / f"{script}.mjs"
    subprocess.run(
        [ESBUILD, str(ROOT / "tests/support" / script), "--bundle", "--platform=node", "--format=esm",
         "--log-level=warning", f"--outfile={bundled}"],
        check=True, timeout=60,
    )  # fmt: skip
    return bundled


def run_script(script: str, given: object) -> Any:
    """Return what a TypeScript file beside this one answers to some JSON."""
    assert NODE is not None
    answer = subprocess.run(
        [NODE, str(_bundled(script))], input=json.dumps(given), capture_output=True, text=True, check=False, timeout=600
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def data_of(game: Game, name: str = "game") -> dict[str, Any]:
    """Return a game as scripts read it."""
    compiled = compiled_game(game, name)
    facts: dict[str, Any] = msgspec.to_builtins(compiled.facts, str_keys=True)
    return {"facts": facts, "code": base64.b64encode(compiled.code).decode()}


def random_play(game: Game, seed: str, longest: int) -> tuple[list[list[int]], list[State]]:
    """Return the joint actions of a random play, chance outcomes last, and its states."""
    rng, state = random.Random(seed), game.initial()
    joints: list[list[int]] = []
    states = [state]
    while not state.is_terminal() and len(joints) < longest:
        joint = [0] * (len(game.players) + 1)
        if state.is_chance():
            outcomes = state.chance_outcomes()
            joint[-1] = rng.choices([one for one, _ in outcomes], [chance for _, chance in outcomes])[0]
        for player in state.actors():
            joint[player] = int(rng.choice(state.legal(player)))
        state = state.apply_outcome(joint[-1]) if state.is_chance() else state.successor(joint)
        joints.append(joint)
        states.append(state)
    return joints, states


def without_letters(value: Any) -> Any:
    """Return a scene as data without the letters that terminals show: pages have none."""
    if isinstance(value, dict):
        return {key: without_letters(one) for key, one in value.items() if key != "letter"}
    return [without_letters(one) for one in value] if isinstance(value, list | tuple) else value
