"""Files of learned evaluations: numpy's archives, which say what game they are of, how they were made and how strong.

A file is refused for other rules or parameters, and where its numbers could lead native code out of its arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ggp.codegen.kernels import F32
from ggp.game.game import Game
from ggp.native.interface import GameShape, NativeGame
from players.learning.evaluation import (
    ELEMENTS,
    FACTS,
    FIRST_SITE,
    LOW,
    MAP,
    NO_TUPLE,
    NUMBER_FIELDS,
    PLANE_FIELDS,
    SITE,
    SIZE,
    STEP,
    TURN_WORD,
    TURNS,
    WORD,
    Evaluation,
)
from players.learning.native_estimate import with_estimate
from players.learning.tuples import LEAST
from players.search.foundation.archives import ArchiveKind, head_of

ESTIMATES = ArchiveKind("an evaluation", ".estimate", "ggp estimate 1")
WEIGHTS = "weights", "hidden", "top"
ERRORS, SIZES = "errors", "sizes"


@dataclass(slots=True)
class Learned:
    """An evaluation, and what is known of it.

    Attributes:
        evaluation: itself.
        about: `games`, `positions`, `minutes`, `seed`, `rates`, `checks`, and `strength` where it was measured.
        errors: `[weights]` what learning needs to go on; None where the file leaves it out.
        sizes: the same.
    """

    evaluation: Evaluation
    about: dict[str, Any] = field(default_factory=dict)
    errors: F32 | None = None
    sizes: F32 | None = None


def write_learned(path: Path, game: Game, learned: Learned, small: bool = False) -> None:
    """Write an evaluation to a file.

    Args:
        path: of the file; a file there is replaced once the new one is complete.
        game: whose evaluation it is.
        learned: what is written.
        small: whether to round weights to half precision, and to leave out what only further training needs.

    Raises:
        OSError: it cannot be written.
    """
    arrays: dict[str, Any] = {}
    for name, value in learned.evaluation._asdict().items():
        if isinstance(value, np.ndarray):
            narrow = value.dtype == np.int64 and value.size and np.abs(value).max() < 1 << 31
            arrays[name] = value.astype(np.int32) if narrow else value
    arrays["reads_actors"] = np.array(int(learned.evaluation.actors != 0))
    arrays["reads_estimate"] = np.array(int(learned.evaluation.estimate != 0))
    if small:
        arrays |= {name: arrays[name].astype(np.float16) for name in WEIGHTS}
    elif learned.errors is not None and learned.sizes is not None:
        arrays |= {ERRORS: learned.errors, SIZES: learned.sizes}
    ESTIMATES.write(path, head_of(game) | learned.about, arrays)


def read_learned(path: Path, game: Game) -> Learned:
    """Return the evaluation in a file.

    Raises:
        ArchiveUnusable: the file cannot be read, is damaged, or is of another game, other parameters or other rules.
    """
    about, arrays = ESTIMATES.read(path)
    about = ESTIMATES.check_game(path, about, game)
    with ESTIMATES.reading(path):
        errors, sizes = arrays.pop(ERRORS, None), arrays.pop(SIZES, None)
        return Learned(_evaluation(arrays, game.native()), about, errors, sizes)


_INT32 = ("target", "factor", "base", "last", "fixed", "hidden_base")
_DTYPES: dict[str, type[np.generic]] = dict.fromkeys(_INT32, np.int32)
_DTYPES |= dict.fromkeys((*WEIGHTS, "scales"), np.float32)
_DTYPES |= {"scale": np.float64, "sum": np.float64}


def _evaluation(arrays: dict[str, Any], native: NativeGame) -> Evaluation:
    """Return an evaluation of the arrays of a file.

    Raises:
        ValueError: an index could lead out of an array.
        KeyError: an array is missing.
        TypeError: there is one too many.
    """
    actors = native.functions.actors if int(arrays.pop("reads_actors")) else 0
    estimate = native.functions.estimate if int(arrays.pop("reads_estimate", 0)) else 0
    none = np.full(len(arrays["base"]), NO_TUPLE)
    without = {"hidden_base": none, "hidden": np.zeros(0), "top": np.zeros(0), "scales": np.zeros(len(none))}
    arrays = without | arrays
    made: dict[str, Any] = {
        name: np.ascontiguousarray(value, _DTYPES.get(name, np.int64))
        for name, value in arrays.items()
        if name in Evaluation._fields
    }
    evaluation = Evaluation(actors=actors, estimate=estimate, **made)
    if not _is_sound(evaluation, native.shape):
        raise ValueError
    return evaluation


def _is_sound(e: Evaluation, shape: GameShape) -> bool:
    """Return whether all that is read with any state lies within the arrays."""
    words, sites, tuples, banks = shape.state_words, e.first.size - 1, e.base.size, e.bank[1] // max(int(e.bank[0]), 1)
    planes, numbers = e.planes, e.numbers
    if e.scales.size != e.last.size:
        return False
    rows = np.where(e.scales > 0, 1, e.last)
    return all(
        (
            planes.ndim == numbers.ndim == e.codes.ndim == e.scale.ndim == 2,
            planes.shape[1] == PLANE_FIELDS,
            numbers.shape[1] == NUMBER_FIELDS,
            e.facts.size == FACTS,
            e.bank.size == 2,
            e.sum.size == 1,
            len(e.scale) in (1, shape.players),
            len(e.scale) == shape.players or shape.players == 2,
            e.plane_code.shape == e.plane_count.shape == (2, len(planes)),
            len(e.codes) == 2,
            e.site_seen.shape == (2, sites),
            e.target.size == e.factor.size >= e.first[-1],
            e.last.size == e.fixed.size == tuples,
            bool((np.diff(e.first) >= 0).all()) and e.first[0] == 0,
            _within(e.target[: e.first[-1]], tuples),
            _within(e.site_seen, sites),
            -1 <= e.facts[TURN_WORD] < words,
            (e.facts[TURN_WORD] >= 0) == (e.actors == 0),
            _within(planes[:, WORD], words) and _within(planes[:, FIRST_SITE], sites + 1),
            bool((planes[:, WORD] + (planes[:, ELEMENTS] + 63) // 64 <= words).all()),
            bool((planes[:, FIRST_SITE] + 64 * ((planes[:, ELEMENTS] + 63) // 64) <= sites + 63).all()),
            bool((e.plane_count >= NO_TUPLE).all()) and bool((e.plane_count < tuples).all()),
            _within(numbers[:, WORD], words) and _within(numbers[:, SITE], sites),
            bool((numbers[:, SIZE] >= 1).all()) and bool((numbers[:, MAP] >= 0).all()),
            bool((numbers[:, MAP] + numbers[:, SIZE] <= e.codes.shape[1]).all()),
            bool((np.abs(numbers[:, LOW]) < 1 << 62).all()) and bool((numbers[:, STEP] >= LEAST).all()),
            _within(e.base, int(e.bank[0])) and bool((e.last >= 0).all()),
            bool((e.base.astype(np.int64) + e.last < e.bank[0]).all()),
            e.weights.size == len(e.scale) * e.bank[1] > 0,
            1 <= e.facts[TURNS] <= shape.players,
            _within(e.phase_bank, max(int(banks // max(int(e.facts[TURNS]), 1)), 1)),
            bool(np.isfinite(e.weights).all()) and bool(np.isfinite(e.scale).all()),
            bool(np.isfinite(e.hidden).all()) and bool(np.isfinite(e.top).all()),
            e.hidden_base.size == tuples and e.top.size % len(e.scale) == 0,
            not e.top.size or e.hidden.size % (max(banks, 1) * e.hidden_units) == 0,
            bool((e.hidden_base >= NO_TUPLE).all()),
            bool(np.isfinite(e.scales).all()),
            not e.top.size or int(rows[e.hidden_base >= 0].sum()) + 1 == _inputs(e, banks),
            bool((np.where(e.hidden_base >= 0, e.hidden_base + rows, -1) < max(_inputs(e, banks), 0)).all()),
        )
    )


def _inputs(e: Evaluation, banks: int) -> int:
    """Return how many weights of a bank a hidden unit has."""
    return int(e.hidden.size // max(banks * e.hidden_units, 1))


def _within(values: Any, limit: int) -> bool:
    return bool((values >= 0).all()) and bool((values < limit).all())


@lru_cache(16)
def _native(path: str, changed: int, game: Game) -> NativeGame:  # noqa: ARG001 - part of the key
    return with_estimate(game.native(), read_learned(Path(path), game).evaluation)


def native_with(game: Game, file: str) -> NativeGame:
    """Return a compiled game whose estimate is the one in a file; the game itself where no file is named.

    Raises:
        ArchiveUnusable: the file cannot be read, or belongs to another game.
    """
    if not file:
        return game.native()
    with ESTIMATES.reading(Path(file)):
        changed = Path(file).stat().st_mtime_ns
    return _native(str(Path(file).resolve()), changed, game)


def found_file(game: Game) -> str:
    """Return the file with a learned evaluation of a game: in the working directory, or of the library; else nothing.

    Files of other rules or parameters are passed over.
    """
    return ESTIMATES.found(game, lambda path: bool(native_with(game, str(path))))
