"""Pictures of sample positions, for galleries: the interpreter plays to them, so nothing is compiled."""

from __future__ import annotations

from itertools import islice

from ggp.arithmetic.rng import seed_word
from ggp.display.scenes import Scenes
from ggp.interpreter.interpreter import Interpreter
from ggp.interpreter.random_play import play_randomly
from ggp.language import typed
from ggp.scene.svg import svg_of

WORK_LIMIT = 10_000_000
"""Function calls and bindings of one transition, at most."""


def sampled_svg(
    game: typed.Game, seed: int, transitions: int, player: int | None = None, *, values: bool = True
) -> str:
    """Return a position of a play with random actions as SVG.

    Of a play that ends, it is the last one before its end; of a single transition, that end.

    Args:
        game: checked.
        seed: of the play.
        transitions: after which the position is drawn.
        player: through whose eyes, where the rules say what players are shown; None: of who may see all.
        values: whether the values beside the boards are drawn where there are boards.

    Raises:
        RulesFault: the rules fail in this play.
        LimitExceeded: a transition takes too much work.
    """
    interpreter = Interpreter(game, WORK_LIMIT)
    shown = interpreter.initial()
    steps = islice(play_randomly(interpreter, [seed_word(seed)], transitions), transitions)
    for number, step in enumerate(steps):
        shown = shown if interpreter.is_terminal(step.new) and number > 0 else step.new
    return svg_of(Scenes(interpreter).scene(shown, player), values=values)
