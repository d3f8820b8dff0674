"""Files of what was learned of a game: numpy's archives, which say what game they are of and how they were made."""

from __future__ import annotations

import contextlib
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import numpy as np

from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.solvers.sequence_form.strategy_files import rules_hash
from ggp.whole_files import replacing

ABOUT, FORMAT = "about", "format"


class ArchiveUnusable(GgpError):
    """A file that cannot be read, is damaged, or belongs to another game."""


def head_of(game: Game) -> dict[str, Any]:
    """Return what identifies a game in a file."""
    return {"game": game.name, "parameters": dict(game.parameters), "rules_hash": rules_hash(game)}


@dataclass(frozen=True, slots=True)
class ArchiveKind:
    """What is kept in a kind of files.

    Attributes:
        noun: names it in messages.
        suffix: of the files.
        format: stands in each file.
        max_bytes: of the unpacked arrays.
    """

    noun: str
    suffix: str
    format: str
    max_bytes: int = 1 << 30

    def write(self, path: Path, about: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        """Write a file, which is replaced once the new one is complete.

        Raises:
            OSError: it cannot be written.
        """
        with replacing(path) as file:
            np.savez_compressed(file, **arrays, about=np.array(json.dumps({FORMAT: self.format, **about})))

    @contextlib.contextmanager
    def reading(self, path: Path) -> Iterator[None]:
        """Raise `ArchiveUnusable` for whatever goes wrong while a file is read that is not there, or damaged."""
        try:
            yield
        except OSError as error:
            raise ArchiveUnusable(f"cannot read {path}: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError, IndexError, EOFError, zipfile.BadZipFile) as error:
            raise ArchiveUnusable(f"{path} is not a file with {self.noun} of `ggp train`, or damaged") from error

    def read(self, path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a file says of itself, and its arrays.

        Raises:
            ArchiveUnusable: it cannot be read, or is no such file.
        """
        with self.reading(path):
            with zipfile.ZipFile(path) as archive:
                if sum(one.file_size for one in archive.infolist()) > self.max_bytes:
                    raise ArchiveUnusable(f"{path} is too large for {self.noun}")
            with np.load(path, allow_pickle=False) as found:
                arrays = {name: found[name] for name in found.files}
            about = json.loads(str(arrays.pop(ABOUT)))
            if not isinstance(about, dict) or about.pop(FORMAT, None) != self.format:
                raise ValueError
        return about, arrays

    def check_game(self, path: Path, about: dict[str, Any], game: Game) -> dict[str, Any]:
        """Return what a file says besides what game it is of.

        Raises:
            ArchiveUnusable: it is of another game, other parameters or other rules.
        """
        differs = [name for name, value in head_of(game).items() if about.get(name) != value]
        if differs:
            own = f"{about.get('game')} with {_told(about.get('parameters'))}"
            other = f"{game.name} with {_told(game.parameters)}"
            detail = "other rules of the same name" if differs == ["rules_hash"] else f"{own}, not of {other}"
            raise ArchiveUnusable(f"{path} has {self.noun} of {detail}")
        return {name: about[name] for name in about if name not in head_of(game)}

    def found(self, game: Game, is_good: Callable[[Path], bool]) -> str:
        """Return the file of a game that is named like it: in the working directory, or of the library; else nothing.

        Args:
            game: whose file is looked for.
            is_good: whether a file will do; one that raises `ArchiveUnusable` is passed over.
        """
        for folder in (Path(), Path(str(resources("rules")))):
            path = folder / f"{game.name}{self.suffix}"
            if path.is_file():
                with contextlib.suppress(ArchiveUnusable):
                    if is_good(path):
                        return str(path)
        return ""


def _told(parameters: Any) -> str:
    pairs = parameters.items() if isinstance(parameters, Mapping) else ()
    return ", ".join(f"{name}={value}" for name, value in pairs) or "no parameters"
