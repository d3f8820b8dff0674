"""Reads and checks the rules that a command is given."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.language import typed
from ggp.language.check.checker import check
from ggp.language.diagnostics import Diagnostic
from ggp.language.library import load_rules
from ggp.language.text.source import SourceFile


def read_game(name: str, parameters: Mapping[str, str]) -> tuple[SourceFile, typed.Game | None, tuple[Diagnostic, ...]]:
    """Return a rules file, the game it describes (None if it has errors), and all diagnostics.

    Raises:
        RulesNotFound, RulesUnreadable: there is no such file, or it is not text.
    """
    source, read_text = load_rules(name)
    result = check(source, parameters, read_text)
    return source, result.game, result.diagnostics


def checked_game(name: str, parameters: Mapping[str, str]) -> typed.Game:
    """Return the game of a rules file.

    Raises:
        RulesInvalid: the rules have errors; its text is their diagnostics.
        RulesNotFound, RulesUnreadable: there is no such file, or it is not text.
    """
    from ggp.rules_compiler.loading import RulesInvalid

    source, game, diagnostics = read_game(name, parameters)
    if game is None:
        raise RulesInvalid(diagnostics, source)
    return game
