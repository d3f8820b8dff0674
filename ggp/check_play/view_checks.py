"""Whether `display for p` keeps to what p was told: plays that p cannot tell apart are drawn for p and compared.

Plays that look the same to a player are rare among random ones, so each random play is followed by *twins*: plays that
differ from it in one choice or draw and go on with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ggp.arithmetic.rng import below, seed_word
from ggp.check_play.checked_play import WORK_LIMIT, Alike, Finding
from ggp.display.drawn import cells_of
from ggp.display.scenes import Scenes
from ggp.encoding.state_layout import Layout
from ggp.faults import LimitExceeded, RulesFault
from ggp.interpreter.expressions import bindings, evaluate
from ggp.interpreter.interpreter import Interpreter, JointAction, Outcome, WorldState
from ggp.interpreter.random_play import drawn_outcome, life_texts, transition_text
from ggp.interpreter.scope import Stopped
from ggp.language import typed
from ggp.language.text.source import Span
from ggp.scene.scene import Scene
from ggp.scene.terminal import drawing_of

GAMES = 40
"""Random plays, at most."""
TWINS = 12
"""Twins of each of them."""
LONGEST = 80
"""Transitions after which a play is left."""


@dataclass(frozen=True, slots=True)
class _Point:
    """A point of a play: the state, and what was chosen and what each player knows up to there, a text each."""

    state: WorldState
    transitions: tuple[str, ...]
    known: tuple[tuple[str, ...], ...]


def telling_view(game: typed.Game, seed: int, go_on: Callable[[], bool]) -> Finding | None:
    """Return the first case found in which `display for` shows a player more than it was told; None if there is none.

    Args:
        game: checked, with `display for`.
        seed: of the plays; the same seed gives the same ones.
        go_on: asked before every transition; once it says no, the search ends.
    """
    try:
        return _Search(game, seed, go_on).run()
    except (RulesFault, LimitExceeded, Stopped):
        # random games in checked mode report it, with the play that leads there
        return None


class _Search:
    def __init__(self, game: typed.Game, seed: int, go_on: Callable[[], bool]) -> None:
        self.game, self.seed, self.go_on = game, seed, go_on
        self.interpreter = Interpreter(game, WORK_LIMIT, go_on)
        self.scenes = Scenes(self.interpreter)
        self.layout = Layout(game)
        self.players = range(len(game.players.members))
        self.drawn: dict[tuple[int, tuple[str, ...]], tuple[Scene, _Point]] = {}
        """What each player was shown where it knew what it knows, and where that was."""

    def run(self) -> Finding | None:
        start = _Point(self.interpreter.initial(), (), tuple(() for _ in self.players))
        for number in range(GAMES):
            self.drawn.clear()
            points = [start]
            for play in self._plays(number, points):
                for point in play:
                    found = self._compared(point)
                    if found is not None:
                        return found
        return None

    def _plays(self, number: int, points: list[_Point]) -> Iterator[Iterator[_Point]]:
        """Yield the points of a random play, and then those of its twins from where they differ."""
        yield iter(points)
        yield self._play(number, points)
        rng = [seed_word(self.seed, number)]
        for _ in range(TWINS):
            at = below(rng, max(1, len(points) - 1))
            yield self._play(number, [points[at]], rng)

    def _play(self, number: int, points: list[_Point], change: list[int] | None = None) -> Iterator[_Point]:
        """Yield the points of a play after the last of `points`, to which they are added.

        Args:
            number: of the play; plays of one number choose alike where the same is legal.
            points: the play so far.
            change: a generator; where given, something else is chosen in the first transition.
        """
        while len(points[-1].transitions) < LONGEST and not self.interpreter.is_terminal(points[-1].state):
            if not self.go_on():
                return
            point = points[-1]
            chosen = self._chosen(number, point, change)
            change = None
            assert point.state.phase is not None
            known = tuple(
                before + tuple(life_texts(self.interpreter, self.layout, point.state, chosen, player))
                for player, before in enumerate(point.known)
            )
            text = transition_text(self.layout, point.state.phase, chosen)
            points.append(_Point(self.interpreter.step(point.state, chosen), (*point.transitions, text), known))
            yield points[-1]

    def _chosen(self, number: int, point: _Point, change: list[int] | None) -> JointAction | Outcome:
        def rng(who: int) -> list[int]:
            return [seed_word(self.seed, (number * LONGEST + len(point.transitions)) * 32 + who)]

        state = point.state
        if self.interpreter.is_chance(state):
            outcomes = self.interpreter.chance_outcomes(state)
            return drawn_outcome(outcomes, rng(0) if change is None else change)
        legal = {player: self.interpreter.legal(state, player) for player in self.interpreter.actors(state)}
        joint = {player: actions[below(rng(1 + player), len(actions))] for player, actions in legal.items()}
        if change is not None:
            player = sorted(legal)[below(change, len(legal))]
            joint[player] = legal[player][below(change, len(legal[player]))]
        return joint

    def _compared(self, point: _Point) -> Finding | None:
        """Draw a state for each player; return a finding where the same knowledge was drawn differently before."""
        if self.interpreter.is_terminal(point.state):
            return None
        for player in self.players:
            shown = self.scenes.scene(point.state, player)
            before, other = self.drawn.setdefault((player, point.known[player]), (shown, point))
            if before != shown:
                return self._finding(player, (other, point), (before, shown))
        return None

    def _finding(self, player: int, points: tuple[_Point, _Point], shown: tuple[Scene, Scene]) -> Finding:
        name = self.game.players.members[player]
        lines = [tuple(str(drawing_of(scene)).split("\n")) for scene in shown]
        differing = [tuple(line for line in own if line not in other) for own, other in (lines, reversed(lines))]
        alike = Alike(
            name,
            (points[0].transitions, points[1].transitions),
            points[0].known[player],
            ((), ()),
            (differing[0], differing[1]),
        )
        return Finding(
            "telling_view",
            False,
            self._place(player, points),
            f"what `display for` shows to `{name}` differs between two plays that it cannot tell apart",
            f"show what `{name}` was told: keep it in a variable where `sees` tells it",
            (),
            alike,
        )

    def _place(self, player: int, points: tuple[_Point, _Point]) -> Span:
        """Return which rule or line of the display differs."""
        view = self.game.views[player]
        scopes = [self.interpreter.scope(point.state) for point in points]
        for line in view.lines:
            if evaluate(line.value, scopes[0]) != evaluate(line.value, scopes[1]):
                return line.value.span
        rules = [rule for board in view.boards for rule in board.rules]
        for rule in rules:
            first, second = ([cells_of(rule, scope) for _ in bindings(rule.binders, scope)] for scope in scopes)
            if first != second:
                return rule.span
        return rules[0].span  # how something looks differs, not where it is
