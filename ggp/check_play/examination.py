"""Everything that play can show of a game and its mistakes: many games natively, some again in the interpreter.

Native games come first, hundreds of thousands of transitions a second. What is notable among them is played again in
the reference interpreter, which says where in the rules something fails, and then as many others as there is time for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from ggp.check_play import play_account
from ggp.check_play.findings import Alike, Finding, FindingKind
from ggp.check_play.replays import Replay, ReplayCheck, Trace
from ggp.check_play.running_statistics import RunningStatistics
from ggp.check_play.sampling import Conflict, Notable, Play, Sampler, statistics
from ggp.check_play.view_checks import telling_view
from ggp.encoding.state_layout import Layout
from ggp.interpreter.interpreter import Interpreter, WorldState
from ggp.interpreter.random_play import action_text, life_texts
from ggp.language import typed
from ggp.language.text.source import Span
from ggp.native.interface import PHASE_WORD, NativeGame
from ggp.static_analysis.traits import is_of_perfect_information, told_before_updates, untold_draws

CHECKED_GAMES = 200
"""Random games that are played again, at most."""
LONGEST_REPLAY = 2_000
"""Transitions of the longest game that is played again only for its length."""
SHOWN_LAST = 6
"""Transitions shown of a game that does not end: a loop repeats in them."""
COMPARED_CONFLICTS = 200
"""Pairs of plays looked through for different places in the rules."""
NATIVE_ALONE = (
    "; the reference interpreter plays on there, so this is a mistake of ggp: please report it with the rules"
)


@dataclass(slots=True)
class Examination:
    """What play showed. P players.

    Attributes:
        games: random games begun natively.
        finished: those that came to an end.
        cut: those cut at the limit.
        faulted: those that ended by a fault of the rules.
        steps: transitions made in them.
        information_states: different ones met, counted up to a limit; 0 where the game hides nothing.
        lengths: transitions of finished games.
        branching: for each phase and player (None: chance), the number of legal actions or outcomes.
        utilities: of each player at the ends, `[P]`.
        sums: least and greatest sum of the utilities of all players.
        is_symmetric: see `ReplayCheck`.
        checked_games: how many of the games were played again in the interpreter.
        unreached_phases: their names.
        unchosen_kinds: phase and name of each kind of moves that was never chosen, of the phases reached.
        findings: mistakes and doubts, errors first.
    """

    games: int = 0
    finished: int = 0
    cut: int = 0
    faulted: int = 0
    steps: int = 0
    information_states: int = 0
    lengths: RunningStatistics = field(default_factory=RunningStatistics)
    branching: dict[tuple[str, int | None], RunningStatistics] = field(default_factory=dict)
    utilities: list[RunningStatistics] = field(default_factory=list)
    sums: tuple[float, float] = (math.inf, -math.inf)
    is_symmetric: bool | None = None
    checked_games: int = 0
    unreached_phases: tuple[str, ...] = ()
    unchosen_kinds: tuple[tuple[str, str], ...] = ()
    findings: list[Finding] = field(default_factory=list)


def examine(
    game: typed.Game,
    native: NativeGame,
    seed: int,
    games: int,
    step_limit: int,
    sample_on: Callable[[], bool],
    view_on: Callable[[], bool],
    check_on: Callable[[], bool],
) -> Examination:
    """Play a game and collect what that shows.

    Args:
        game: checked.
        native: its native code.
        seed: of all games.
        games: how many natively, at most.
        step_limit: transitions after which a game is cut; one that is cut is an error of the rules.
        sample_on: asked between slices of native play; once it says no, native play ends.
        view_on: the same for comparing what `display for` draws, which comes next.
        check_on: the same for checked play, which comes last.
    """
    return _Examiner(game, native, step_limit).run(seed, games, sample_on, view_on, check_on)


def make_ready(game: typed.Game, native: NativeGame) -> None:
    """Compile what native play needs, which takes some seconds once a machine."""
    _Examiner(game, native, 1).sampler.run(0, 1, lambda: False)


class _Lived(NamedTuple):
    """A play as one player lived it.

    Attributes:
        phase: that it came to; None: the game is over.
        transitions: a text each.
        known: what the player did and saw, a text each.
        legal: the texts of its legal actions then; none where it does not act.
    """

    phase: str | None
    transitions: tuple[str, ...]
    known: tuple[str, ...]
    legal: tuple[str, ...]


class _Examiner:
    """One examination."""

    def __init__(self, game: typed.Game, native: NativeGame, step_limit: int) -> None:
        self.game = game
        self.layout = Layout(game)
        self.step_limit = step_limit
        self.kinds = list(_kinds(self.layout))
        hidden = not is_of_perfect_information(game)
        self.sampler = Sampler(
            native,
            len(game.phases),
            play_account.HIDDEN if hidden else play_account.PLAIN,
            step_limit,
            [(phase, low, high) for phase, _, low, high in self.kinds],
            game.utility_bounds,
            None if game.stated_sum is None else game.stated_sum.value,
        )

    def run(
        self,
        seed: int,
        games: int,
        sample_on: Callable[[], bool],
        view_on: Callable[[], bool],
        check_on: Callable[[], bool],
    ) -> Examination:
        """Play, and return what that showed."""
        self.sampler.run(seed, games, sample_on)
        telling = telling_view(self.game, self.sampler, seed, view_on) if self.game.views else None
        checked = ReplayCheck(self.game, check_on)
        traces = (self.sampler.trace_of(play) for play in self._worth_checking())
        is_replayed = all(_checked(checked, trace) for trace in traces)
        for number in range(min(games, CHECKED_GAMES)):
            if not check_on():
                break
            checked.check(self.sampler.random_trace(seed, number))
        # native play says of how many games it is true that they did not end
        is_endless = self.sampler.notable(play_account.CUT) is not None
        found = [one for one in checked.findings if one.kind != "comes_back" or not is_endless]
        found += self._of_samples(any(one.is_error for one in checked.findings), is_replayed)
        found += [*self._leaks(check_on), *self._told_to_all()]
        found += [] if telling is None else [telling]
        made = self._examination(checked)
        found += self._unreached(made, any(one.is_error for one in found))
        made.findings = sorted(found, key=lambda one: (not one.is_error, one.span.line, one.span.column))
        return made

    def _worth_checking(self) -> list[Play]:
        """Return the games to play again in the interpreter: the shortest of each fault, and of other sorts."""
        of = self.sampler.notable
        faults = [one for _, one in self.sampler.faults()]
        sorts = play_account.DEAD_END, play_account.OUTSIDE_BOUNDS, play_account.OTHER_SUM, play_account.ESTIMATE
        common = [of(sort) for sort in (play_account.ENDED, play_account.REPEATED)]
        plays = [one.shortest for one in sorted(faults, key=lambda one: one.shortest.length)]
        plays += [one.shortest for one in map(of, sorts) if one is not None]
        plays += [one.shortest for one in common if one is not None and one.shortest.length <= LONGEST_REPLAY]
        return list(dict.fromkeys(plays))

    def _examination(self, checked: ReplayCheck) -> Examination:
        account, phases = self.sampler.account, [phase.name for phase in self.game.phases]
        branching: dict[tuple[str, int | None], RunningStatistics] = {
            (phase, None): outcomes for phase, outcomes in checked.outcomes.items()
        }
        keys = product(phases, range(len(self.game.players.members)))
        for key, series in zip(keys, account.branching, strict=True):
            if series[play_account.NUMBERS]:
                branching[key] = statistics(series, int)
        visits = account.phases
        unused = [kind for kind, row in zip(self.kinds, account.kinds, strict=True) if not row[3]]
        faults = [one for _, one in self.sampler.faults()] + [self.sampler.notable(play_account.DEAD_END)]
        cut = self.sampler.notable(play_account.CUT)
        lengths, sums = statistics(account.lengths, int), statistics(account.sums)
        return Examination(
            games=int(account.totals[play_account.GAMES]),
            finished=lengths.count,
            cut=0 if cut is None else cut.count,
            faulted=sum(one.count for one in faults if one is not None),
            steps=int(account.totals[play_account.STEPS]),
            information_states=int(account.used[0]),
            lengths=lengths,
            branching=branching,
            utilities=[statistics(series) for series in account.utilities],
            sums=(sums.minimum, sums.maximum),
            is_symmetric=checked.is_symmetric,
            checked_games=checked.games,
            unreached_phases=tuple(name for name, count in zip(phases, visits, strict=True) if not count),
            unchosen_kinds=tuple((phases[phase], name) for phase, name, *_ in unused if visits[phase]),
        )

    # --- findings -----------------------------------------------------------------------------------------------------

    def _of_samples(self, has_failed: bool, is_replayed: bool) -> Iterator[Finding]:
        """Yield what native play alone showed.

        Args:
            has_failed: whether a replay was an error.
            is_replayed: whether there was time for all games that were worth it.
        """
        games = int(self.sampler.account.totals[play_account.GAMES])
        cut = self.sampler.notable(play_account.CUT)
        if cut is not None:
            busiest = self.game.phases[int(self.sampler.account.phases.argmax())]
            share = f" ({_of(cut, games)})" if cut.count else ""
            message = f"a game of random actions had not ended after {self.step_limit:,} transitions{share}"
            last = "; ".join(self._last_of(cut.shortest))
            hint = f"let the rules end every game, by a limit on its length for example; one went on and on: {last}"
            yield Finding("no_end", True, busiest.span, message, hint)
        if has_failed:
            return
        for kind, notable, span, message in self._failures():
            hint = _how_often(notable, games)
            yield Finding(kind, True, span, message, hint + (NATIVE_ALONE if is_replayed else ""))

    def _last_of(self, play: Play) -> tuple[str, ...]:
        """Return the last transitions of a play, a text each; the interpreter makes none but these."""
        words = self.sampler.words_after(Play(play.seed, play.deviation, play.length - SHOWN_LAST))
        replay = Replay(Interpreter(self.game), self.layout, self.sampler.trace_of(play)[-SHOWN_LAST - 1 : -1])
        values = tuple(self.layout.variable_value(words, variable) for variable in self.game.variables)
        replay.state = WorldState(self.game.phases[words[PHASE_WORD]].name, values)
        for _ in replay.transitions():
            pass
        return replay.texts()

    def _failures(self) -> Iterator[tuple[FindingKind, Notable, Span, str]]:
        """Yield what games failed at: the kind, the games, the place and what is wrong there."""
        for site, notable in self.sampler.faults():
            yield "out_of_range", notable, self._place(site), self.sampler.native.faults[site - 1].split(": ", 1)[-1]
        dead_end = self.sampler.notable(play_account.DEAD_END)
        if dead_end is not None:
            phase = self.game.phases[self.sampler.phase_after(dead_end.shortest)]
            yield (
                "dead_end",
                dead_end,
                phase.choosers[0].span,
                f"a player who acts in `{phase.name}` has no legal action",
            )
        payoffs = self.game.payoff[0].span
        outside = self.sampler.notable(play_account.OUTSIDE_BOUNDS)
        if outside is not None:
            yield "utility_bounds", outside, payoffs, "a payoff is outside its proven bounds"
        other = self.sampler.notable(play_account.OTHER_SUM)
        if other is not None:
            yield "other_sum", other, payoffs, "the payoffs do not add up to what the rules state"

    def _place(self, site: int) -> Span:
        """Return where in the rules a fault site is."""
        _, line, column, _ = self.sampler.native.faults[site - 1].split(":", 3)
        return Span(int(line), int(column), int(line), int(column) + 1)

    def _leaks(self, go_on: Callable[[], bool]) -> Iterator[Finding]:
        """Yield plays that a player cannot tell apart and ought to, one pair for each place in the rules.

        The interpreter replays a pair for its text, which can take long: none but the first once time is up.
        """
        told: set[tuple[bool, int]] = set()
        for conflict in self.sampler.conflicts()[:COMPARED_CONFLICTS]:
            if told and not go_on():
                return
            # where a play is over, the number is that behind the last phase's
            place = conflict.is_over, min(map(self.sampler.phase_after, conflict.plays))
            if place not in told:
                told.add(place)
                yield self._leak(conflict)

    def _leak(self, conflict: Conflict) -> Finding:
        lives = [self._lived(play, conflict.player) for play in conflict.plays]
        if lives[0].phase is None:
            lives.reverse()
        first, second = lives
        assert first.phase is not None, "the player acts in one of them"
        name = self.game.players.members[conflict.player]
        alike = Alike(name, (first.transitions, second.transitions), first.known, (first.legal, second.legal))
        span = self.game.phases[self.layout.phase_index[first.phase]].choosers[0].span
        if conflict.is_over:
            message = (
                f"`{name}` does not notice that a play is over, and cannot tell it from one in which it has to act"
            )
            hint = f"being asked to act tells `{name}` more than `sees` does: let `sees` tell it at the end, or before"
            return Finding("end_unseen", False, span, message, hint, (), alike)
        message = f"the legal actions of `{name}` differ between two plays that it cannot tell apart"
        hint = f"let them depend on what `{name}` knows, or tell it with `sees` what they depend on"
        before = told_before_updates(self.game)
        if before:
            names = ", ".join(f"`{variable}`" for variable in before)
            hint += f"; `sees` tells {names} as before the updates: a phase after it can tell the new value"
        return Finding("leak", True, span, message, hint, (), alike)

    def _lived(self, play: Play, player: int) -> _Lived:
        interpreter = Interpreter(self.game)
        replay = Replay(interpreter, self.layout, self.sampler.trace_of(play)[: play.length])
        known: list[str] = []
        for made in replay.transitions():
            known += life_texts(interpreter, self.layout, made.old, made.chosen, player)
        phase = replay.state.phase
        legal = [] if phase is None else interpreter.legal(replay.state, player)
        texts = tuple(action_text(self.layout, phase, action) for action in legal if phase is not None)
        return _Lived(phase, replay.texts(), tuple(known), texts)

    def _told_to_all(self) -> Iterator[Finding]:
        """Yield the chance phases without `sees` of a game that hides things."""
        for phase in untold_draws(self.game):
            message = f"phase `{phase.name}` has no `sees`, so everybody is told what chance draws"
            hint = "say who is told: `sees all: ...`, `sees p: ...`, or `sees nothing`"
            span = phase.span if phase.chance is None else phase.chance.span
            yield Finding("told_to_all", False, span, message, hint)

    def _unreached(self, made: Examination, has_errors: bool) -> Iterator[Finding]:
        """Yield the phases that were never reached."""
        if not made.finished or has_errors:
            return
        for phase in self.game.phases:
            if phase.name in made.unreached_phases and not phase.follows:
                message = f"phase `{phase.name}` was not reached in {made.games:,} random games"
                yield Finding("never_reached", False, phase.span, message, "see whether some `next` can lead to it")


def _checked(check: ReplayCheck, trace: Trace) -> bool:
    """Check a replay; return whether there is time for more."""
    if check.go_on():
        check.check(trace)
    return check.go_on()


def _kinds(layout: Layout) -> Iterator[tuple[int, str, int, int]]:
    """Yield phase, name, first number and the number behind the last of each named kind of moves."""
    for phase, (rules, choosers) in enumerate(zip(layout.game.phases, layout.choice_blocks, strict=True)):
        for chooser, blocks in zip(rules.choosers, choosers, strict=True):
            for kind, block in zip(chooser.kinds, blocks, strict=True):
                if kind.name is not None:
                    yield phase, kind.name, block.base, block.base + block.count


def _of(notable: Notable, games: int) -> str:
    return f"{notable.count:,} of {games:,} games"


def _how_often(notable: Notable, games: int) -> str:
    if not notable.count:
        return "it ended a game that differs from a random one in one transition"
    return f"it ended {_of(notable, games)}"
