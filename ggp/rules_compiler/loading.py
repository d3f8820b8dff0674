"""From the name or the text of a game to a `Game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from os import PathLike, fspath
from typing import ClassVar

from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.language import (
    Diagnostic,
    ParameterDeclaration,
    SourceFile,
    check,
    load_rules,
    no_files,
    parameters_of,
    render_all,
    typed,
)
from ggp.language.library import OPENSPIEL
from ggp.rules_compiler.rules_backend import game_of_rules


class RulesInvalid(GgpError):
    """Rules with errors, or parameters that do not fit them.

    Attributes:
        diagnostics: all that was found, warnings too.
        source: the rules.
    """

    names_place: ClassVar[bool] = True

    def __init__(self, diagnostics: tuple[Diagnostic, ...], source: SourceFile) -> None:
        super().__init__(diagnostics, source)
        self.diagnostics = diagnostics
        self.source = source

    def __str__(self) -> str:
        return render_all(self.diagnostics, self.source).rstrip()


def load(name: str | PathLike[str], /, **parameters: str | int | bool) -> Game:
    """Return a game of the library, of a rules file, or of OpenSpiel, with its parameters bound.

    Args:
        name: the name of a library game, the path of a rules file, or `openspiel:` and the name of a game there.
        parameters: values by name; missing ones take their defaults.

    Raises:
        RulesInvalid: the rules have errors, or a parameter does not fit.
        LimitExceeded: the game is too large to be played here.
        GgpError: there is no such game, or its file cannot be read.
    """
    name = fspath(name)
    if name.startswith(OPENSPIEL):
        try:  # by name: adapters stand above this module
            adapter = import_module("ggp.adapters.openspiel_games")
        except ModuleNotFoundError as error:
            raise GgpError(f"`{name}` needs OpenSpiel: pip install ggp[openspiel]") from error
        game: Game = adapter.load(name, **parameters)
        return game
    source, read_text = load_rules(name)
    return game_from_source(source, parameters, read_text)


def load_text(rules: str, /, **parameters: str | int | bool) -> Game:
    """Return the game of a text of rules, with its parameters bound; it reads no files. Errors are those of `load`."""
    return game_from_source(SourceFile("text.rules", rules), parameters)


def parameters(name: str | PathLike[str], /) -> dict[str, ParameterDeclaration]:
    """Return the parameters that a game takes, by name: type, default as text, and the comment in the rules.

    Args:
        name: the name of a library game, or the path of a rules file. Rules with errors may have parameters, too.

    Raises:
        GgpError: there is no such game, or its file cannot be read.
    """
    return {one.name: one for one in parameters_of(load_rules(fspath(name))[0])}


def game_from_source(
    source: SourceFile,
    parameters: Mapping[str, str | int | bool] | None = None,
    read_text: Callable[[str], str] = no_files,
) -> Game:
    """Return the game of some rules, such as a game manager sends them.

    Args:
        source: the rules, and the name that diagnostics give them.
        parameters: values by name.
        read_text: gives the text of a file that the rules name.

    Raises:
        RulesInvalid: the rules have errors, or a parameter does not fit.
        LimitExceeded: the game is too large to be played here.
    """
    checked = _checked(source, repr(parameters))
    for game, read in checked:
        if all(_is_read_as(read_text, *file) for file in read.items()):
            return game_of_rules(game, read)
    files: dict[str, str] = {}

    def read_and_keep(name: str) -> str:
        files[name] = read_text(name)
        return files[name]

    result = check(source, parameters, read_and_keep)
    if result.game is None:
        raise RulesInvalid(result.diagnostics, source)
    checked[:] = ((result.game, files),)
    return game_of_rules(result.game, files)


@lru_cache(16)
def _checked(source: SourceFile, parameters: str) -> list[tuple[typed.Game, dict[str, str]]]:  # noqa: ARG001 - the key
    """Return where the typed tree of some rules is kept, with the files that were read: nothing before it was made."""
    return []


def _is_read_as(read_text: Callable[[str], str], name: str, text: str) -> bool:
    try:
        return read_text(name) == text
    except (OSError, ValueError):
        return False
