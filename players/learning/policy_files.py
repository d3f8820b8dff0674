"""Files of playout policies: numpy's archives, which say what game they are of, and how they were made."""

from __future__ import annotations

import io
import json
import zipfile
from functools import lru_cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import numpy as np

from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.native.interface import NativeGame
from ggp.solvers.sequence_form.strategy_files import rules_hash
from players.learning.patterns import NoBoard, new_policy
from players.search.uct.playout_policy import OUTSIDE_CROSS, OUTSIDE_RING, GuidedGame, Policy, guided_game

FORMAT, SUFFIX = "ggp policy 1", ".policy"
MAX_BYTES = 1 << 24
MAX_LOGIT = 16.0
EVEN = 0.5


class PolicyUnusable(GgpError):
    """A file of a policy that cannot be read, or belongs to another game."""


def _head_of(game: Game) -> dict[str, Any]:
    return {"format": FORMAT, "game": game.name, "parameters": dict(game.parameters), "rules_hash": rules_hash(game)}


def write_policy(path: Path, game: Game, policy: Policy, about: dict[str, Any]) -> None:
    """Write a policy to a file, which is replaced once the new one is complete.

    Raises:
        OSError: it cannot be written.
    """
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        about=np.array(json.dumps(_head_of(game) | about)),
        owners=policy.owners.astype(np.int8),
        contents=policy.contents.astype(np.int8),
        logits=np.log(policy.weights).astype(np.float16),
    )
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(buffer.getvalue())
    beside.replace(path)


def read_policy(path: Path, game: Game) -> tuple[Policy, dict[str, Any]]:
    """Return the policy in a file, and what the file says of it.

    Raises:
        PolicyUnusable: the file cannot be read, is damaged, or is of another game, other parameters or other rules.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(one.file_size for one in archive.infolist()) > MAX_BYTES:
                raise ValueError
        with np.load(path, allow_pickle=False) as found:
            about = json.loads(str(found["about"]))
            owners, contents = found["owners"].astype(np.int32), found["contents"].astype(np.int32)
            logits = found["logits"].astype(np.float32)
        head = _head_of(game)
        differs = [name for name in head if about.get(name) != head[name]]
        if differs:
            raise PolicyUnusable(f"{path} has a policy of another game than {game.name}: {', '.join(differs)} differ")
        policy = new_policy(game, owners, contents)
        codes = ((owners, OUTSIDE_RING), (contents, OUTSIDE_CROSS))
        if logits.shape != policy.weights.shape or not (np.abs(logits) <= MAX_LOGIT).all():
            raise ValueError
        if any(one.shape != (1 << policy.planes.size,) or (one < 0).any() or (one > most).any() for one, most in codes):
            raise ValueError
    except OSError as error:
        raise PolicyUnusable(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, NoBoard, zipfile.BadZipFile) as error:
        raise PolicyUnusable(f"{path} is not a policy of `ggp train`, or damaged") from error
    policy.weights[:] = np.exp(logits)
    return policy, {name: about[name] for name in about if name not in head}


@lru_cache(16)
def _policy(path: str, changed: int, game: Game) -> Policy:  # noqa: ARG001 - part of the key
    return read_policy(Path(path), game)[0]


def guided_by(native: NativeGame, game: Game, file: str) -> GuidedGame:
    """Return a compiled game whose playouts choose by the policy in a file.

    Raises:
        PolicyUnusable: the file cannot be read, or belongs to another game.
    """
    try:
        changed = Path(file).stat().st_mtime_ns
    except OSError as error:
        raise PolicyUnusable(f"cannot read {file}: {error.strerror or error}") from error
    return guided_game(native, _policy(str(Path(file).resolve()), changed, game))


def found_policy(game: Game) -> str:
    """Return the file of a game's policy that was measured to make a search stronger; else nothing.

    It is named like the game, with the ending `.policy`, and looked for in the working directory and then in the
    library. Files of other rules or parameters are passed over.
    """
    for folder in (Path(), Path(str(resources("rules")))):
        path = folder / f"{game.name}{SUFFIX}"
        if path.is_file():
            try:
                strength = read_policy(path, game)[1].get("strength")
            except PolicyUnusable:
                continue
            if strength and strength["ci95"][0] > EVEN:
                return str(path)
    return ""
