"""Library games with every name renamed at once: they check, and play is the same."""

from __future__ import annotations

import pytest

from ggp.interpreter.interpreter import Interpreter
from ggp.interpreter.random_play import play_randomly
from ggp.language import SourceFile, check, load_rules, typed
from ggp.language_server.analysis import analyse
from ggp.language_server.references import CannotRename, references, renamable

GAMES = ("tic_tac_toe", "kuhn_poker", "goofspiel", "love_letter", "hanabi", "kalah", "stratego")
GIVEN = {"player", "direction"}
"""Names that the language gives; those of a product's values hold `_of_`."""
LENGTH = 25


@pytest.mark.parametrize("name", GAMES)
def test_a_game_with_other_names_is_the_same_game(name: str) -> None:
    source, read_text = load_rules(name)
    analysis = analyse(source, read_text)
    edits, refused = [], set()
    for one in analysis.declared.values():
        line, column = one.span.line, one.span.column
        try:
            renamable(analysis, line, column)
        except CannotRename:
            refused.add(one.name)
            continue
        edits += [(span, f"{one.name}_r") for span in references(analysis, line, column)]
    assert {one for one in refused if "_of_" not in one} <= GIVEN
    lines = list(analysis.lines)
    for span, text in sorted(edits, key=lambda edit: (edit[0].line, edit[0].column), reverse=True):
        before = lines[span.line - 1]
        lines[span.line - 1] = before[: span.column - 1] + text + before[span.end_column - 1 :]
    renamed = check(SourceFile(source.name, "\n".join(lines)), {}, read_text)
    assert renamed.game is not None, renamed.diagnostics
    assert len(renamed.diagnostics) == len(analysis.result.diagnostics)
    assert analysis.result.game is not None
    assert played(renamed.game) == played(analysis.result.game)


def played(game: typed.Game) -> list[object]:
    """Return the numbers of a random play: the phases, how many actions each player had, and how many outcomes."""
    interpreter = Interpreter(game, 1_000_000)
    phases = {phase.name: number for number, phase in enumerate(game.phases)}
    return [
        (
            phases[interpreter.phase(step.old).name],
            {player: len(actions) for player, actions in step.legal.items()},
            step.outcomes,
            interpreter.utilities(step.new) if interpreter.is_terminal(step.new) else None,
        )
        for step in play_randomly(interpreter, [3], LENGTH)
    ]
