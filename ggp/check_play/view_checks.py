"""Whether `display for p` keeps to what p was told: plays that p cannot tell apart are drawn for p and compared.

Plays that look the same to a player are rare among random ones, so each random play is followed by twins, as in
`ggp.check_play.sampled_play`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from ggp.arithmetic.rng import below, seed_word
from ggp.check_play.findings import Alike, Finding
from ggp.check_play.replays import WORK_LIMIT, Replay, Trace
from ggp.check_play.sampling import Sampler
from ggp.display.drawn import cells_of
from ggp.display.scenes import Scenes
from ggp.display.values import value_of
from ggp.encoding.state_layout import Layout
from ggp.faults import LimitExceeded, RulesFault
from ggp.interpreter.interpreter import Interpreter, WorldState
from ggp.interpreter.random_play import life_texts
from ggp.language import typed
from ggp.language.evaluation.expressions import bindings
from ggp.language.evaluation.scope import Stopped
from ggp.language.text.source import Span
from ggp.scene.scene import Scene
from ggp.scene.terminal import drawing_of

GAMES = 40
"""Random plays, at most."""
TWINS = 12
"""Twins of each of them."""
LONGEST = 80
"""Transitions after which a play is left."""


class _Point(Struct, frozen=True):
    """A point of a play: the state, and what was chosen and what each player knows up to there, a text each."""

    state: WorldState
    transitions: tuple[str, ...]
    known: tuple[tuple[str, ...], ...]


def telling_view(game: typed.Game, sampler: Sampler, seed: int, go_on: Callable[[], bool]) -> Finding | None:
    """Return the first case found in which `display for` shows a player more than it was told; None if there is none.

    Args:
        game: checked, with `display for`.
        sampler: of the game.
        seed: of the plays; the same seed gives the same ones.
        go_on: asked before every transition; once it says no, the search ends.
    """
    try:
        return _Search(game, go_on).run(_plays(sampler, seed))
    except (RulesFault, LimitExceeded, Stopped):
        # the check of replays reports it, with the play that leads there
        return None


def _plays(sampler: Sampler, seed: int) -> Iterator[Iterator[Trace]]:
    """Yield random plays, each with its twins."""

    def group(number: int) -> Iterator[Trace]:
        trace = sampler.random_trace(seed, number)[:LONGEST]
        yield trace
        rng = [seed_word(seed, number)]
        for _ in range(TWINS):
            yield sampler.random_trace(seed, number, below(rng, max(1, len(trace))))[:LONGEST]

    return map(group, range(GAMES))


class _Search:
    def __init__(self, game: typed.Game, go_on: Callable[[], bool]) -> None:
        self.game, self.go_on = game, go_on
        self.interpreter = Interpreter(game, WORK_LIMIT, go_on)
        self.scenes = Scenes(self.interpreter)
        self.layout = Layout(game)
        self.players = range(len(game.players.members))
        self.drawn: dict[tuple[int, tuple[str, ...]], tuple[Scene, _Point]] = {}
        """What each player was shown where it knew what it knows, and where that was."""

    def run(self, plays: Iterator[Iterator[Trace]]) -> Finding | None:
        for group in plays:
            self.drawn.clear()
            for trace in group:
                for point in self._points(trace):
                    if not self.go_on():
                        return None
                    found = self._compared(point)
                    if found is not None:
                        return found
        return None

    def _points(self, trace: Trace) -> Iterator[_Point]:
        """Yield the points of a play."""
        replay = Replay(self.interpreter, self.layout, trace)
        known: tuple[tuple[str, ...], ...] = tuple(() for _ in self.players)
        yield _Point(replay.state, (), known)
        for made in replay.transitions():
            known = tuple(
                (*before, *life_texts(self.interpreter, self.layout, made.old, made.chosen, player))
                for player, before in enumerate(known)
            )
            yield _Point(made.new, replay.texts(), known)

    def _compared(self, point: _Point) -> Finding | None:
        """Draw a state for each player; return a finding where the same knowledge was drawn differently before."""
        if self.interpreter.is_terminal(point.state) or _goes_on(self.interpreter.phase(point.state)):
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
            if value_of(line, scopes[0]) != value_of(line, scopes[1]):
                return line.span
        rules = [rule for board in view.boards for rule in board.rules]
        for rule in rules:
            first, second = ([cells_of(rule, scope) for _ in bindings(rule.binders, scope)] for scope in scopes)
            if first != second:
                return rule.span
        return rules[0].span  # how something looks differs, not where it is


def _goes_on(phase: typed.Phase) -> bool:
    """Return whether nobody looks at states of a phase: between parts of a draw, and where play goes on by itself."""
    return phase.follows or phase.is_automatic
