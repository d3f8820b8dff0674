"""Files of playout policies: numpy's archives, which say what game they are of, and how they were made."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ggp.game.game import Game
from ggp.native.interface import NativeGame
from players.learning.patterns import NoBoard, new_policy
from players.search.foundation.archives import ArchiveKind, head_of
from players.search.uct.playout_policy import OUTSIDE_CROSS, OUTSIDE_RING, GuidedGame, Policy, guided_game

POLICIES = ArchiveKind("a policy", ".policy", "ggp policy 1", 1 << 24)
MAX_LOGIT = 16.0
EVEN = 0.5


def write_policy(path: Path, game: Game, policy: Policy, about: dict[str, Any]) -> None:
    """Write a policy to a file, which is replaced once the new one is complete.

    Raises:
        OSError: it cannot be written.
    """
    codes = {"owners": policy.owners.astype(np.int8), "contents": policy.contents.astype(np.int8)}
    POLICIES.write(path, head_of(game) | about, codes | {"logits": np.log(policy.weights).astype(np.float16)})


def read_policy(path: Path, game: Game) -> tuple[Policy, dict[str, Any]]:
    """Return the policy in a file, and what the file says of it.

    Raises:
        ArchiveUnusable: the file cannot be read, is damaged, or is of another game, other parameters or other rules.
    """
    about, arrays = POLICIES.read(path)
    about = POLICIES.check_game(path, about, game)
    with POLICIES.reading(path):
        owners, contents = arrays["owners"].astype(np.int32), arrays["contents"].astype(np.int32)
        logits = arrays["logits"].astype(np.float32)
        try:
            policy = new_policy(game, owners, contents)
        except NoBoard as error:
            raise ValueError from error
        codes = ((owners, OUTSIDE_RING), (contents, OUTSIDE_CROSS))
        if logits.shape != policy.weights.shape or not (np.abs(logits) <= MAX_LOGIT).all():
            raise ValueError
        if any(one.shape != (1 << policy.planes.size,) or (one < 0).any() or (one > most).any() for one, most in codes):
            raise ValueError
    policy.weights[:] = np.exp(logits)
    return policy, about


@lru_cache(16)
def _policy(path: str, changed: int, game: Game) -> Policy:  # noqa: ARG001 - part of the key
    return read_policy(Path(path), game)[0]


def guided_by(native: NativeGame, game: Game, file: str) -> GuidedGame:
    """Return a compiled game whose playouts choose by the policy in a file.

    Raises:
        ArchiveUnusable: the file cannot be read, or belongs to another game.
    """
    with POLICIES.reading(Path(file)):
        changed = Path(file).stat().st_mtime_ns
    return guided_game(native, _policy(str(Path(file).resolve()), changed, game))


def found_policy(game: Game) -> str:
    """Return the file of a game's policy that was measured to make a search stronger; else nothing.

    Files of other rules or parameters are passed over.
    """

    def is_stronger(path: Path) -> bool:
        strength = read_policy(path, game)[1].get("strength")
        return bool(strength and strength["ci95"][0] > EVEN)

    return POLICIES.found(game, is_stronger)
