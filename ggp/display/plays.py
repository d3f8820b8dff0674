"""Random plays of a game that does not say how it is drawn: what they show of its things."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import zip_longest
from typing import cast

from msgspec import Struct

from ggp.arithmetic.rng import below, seed_word
from ggp.display.looks import NOTHING, is_player
from ggp.faults import GameError
from ggp.interpreter.interpreter import Interpreter, Outcome, WorldState
from ggp.interpreter.random_play import play_randomly
from ggp.language import typed
from ggp.language.evaluation.expressions import domain_codes
from ggp.language.evaluation.scope import Action, Scope
from ggp.language.pieces import COLOURS
from ggp.language.typed.types import (
    ArrayType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    SetType,
    codes,
    scalar_text,
    size,
)
from ggp.language.typed.walk import walk

PLAYS, TRANSITIONS = 2, 40
"""Random plays that are looked at, and of how many transitions."""
MIN_RING, MIN_SOWN = 6, 2
"""How many places a ring has at least, and how many of what is sown there shows that it is one."""
MAX_PLACES, MAX_THINGS = 8, 20
PLACE_WORDS = {
    "at", "bank", "bay", "bin", "box", "drawer", "field", "house", "island", "location", "peg", "place", "position",
    "rack", "rod", "room", "shelf", "shore", "side", "spot", "table", "where", "zone",
}  # fmt: skip
"""Words in the names of variables, and of their types, that say where things are."""
WORK_LIMIT = 150_000
"""Expressions that the evaluation of a play may meet, some 0.15 s; what takes more is not looked at any further."""

Values = Mapping[typed.Variable, typed.Value]
Done = tuple[typed.ActionKind, tuple[int, ...]]
"""An action: its kind and the values of its components."""


class Step(Struct, frozen=True):
    """A transition of a play: what the variables were and are, who could do what, and what each did.

    `legal` and `chosen` have nobody where chance drew.
    """

    before: Values
    after: Values
    legal: Mapping[int, tuple[Done, ...]]
    chosen: Mapping[int, Done]


class Plays:
    """Random plays of a game, which are played when they are looked at first."""

    def __init__(self, game: typed.Game) -> None:
        self.game = game
        self.is_cut = False
        """Whether plays took too long, and there is more to be seen than they show."""

    @cached_property
    def played(self) -> tuple[tuple[Step, ...], ...]:
        """The steps of each play."""
        return tuple(tuple(self._steps(seed)) for seed in range(PLAYS))

    @property
    def steps(self) -> Iterator[Step]:
        """Yield the steps of all plays."""
        for play in self.played:
            yield from play

    def _steps(self, seed: int) -> Iterator[Step]:
        interpreter = _Bounded(self.game, seed)
        phases = {phase.name: phase for phase in self.game.phases}
        try:
            for step in play_randomly(interpreter, [seed_word(seed)], TRANSITIONS):
                phase = phases[step.old.phase or ""]

                def done(action: Action, phase: typed.Phase = phase) -> Done:
                    return phase.choosers[action.chooser].kinds[action.kind], action.values

                before, after = (interpreter.scope(state).variables for state in (step.old, step.new))
                legal = {player: tuple(map(done, actions)) for player, actions in step.legal.items()}
                chosen = {} if isinstance(step.chosen, tuple) else step.chosen
                yield Step(before, after, legal, {player: done(action) for player, action in chosen.items()})
        except GameError:  # rules that fail, or take too long, show nothing more
            self.is_cut = True


class _Bounded(Interpreter):
    """An interpreter all calls of which together have a limit, of expressions; of large draws it makes one."""

    def __init__(self, game: typed.Game, seed: int) -> None:
        super().__init__(game, WORK_LIMIT)
        self._last, self._rng = Scope({}), [seed_word(seed)]

    def scope(self, state: WorldState, settled: bool = True) -> Scope:
        new = super().scope(state, settled)
        new.work, new.counts_nodes = self._last.work, True
        self._last = new
        return new

    def chance_outcomes(self, state: WorldState) -> list[tuple[Outcome, float]]:
        chance = self.phase(state).chance
        assert chance is not None
        if not chance.successive:
            return super().chance_outcomes(state)
        scope, drawn, rest = self.scope(state, settled=False), [], list[int]()
        for part in chance.components:
            if not part.follows:
                domain = domain_codes(part.domain, scope)
                if len(domain) < part.together:
                    return super().chance_outcomes(state)  # which says what is wrong
                rest = sorted(domain.pop(below(self._rng, len(domain))) for _ in range(part.together))
            scope.symbols[part.local] = rest[0]
            drawn.append(rest.pop(0))
        return [(tuple(drawn), 1.0)]


def moving_sets(plays: Plays) -> frozenset[typed.Variable]:
    """Return the variables that are sets of cells and lose and gain some at once: men, not a ground."""
    kept = [
        one for one in plays.game.variables if isinstance(one.type, SetType) and isinstance(one.type.element, CellType)
    ]
    found = set()
    for step in plays.steps if kept else ():
        for variable in kept:
            before, after = step.before[variable], step.after[variable]
            assert isinstance(before, frozenset)
            assert isinstance(after, frozenset)
            if before - after and after - before:
                found.add(variable)
    if plays.is_cut:  # what others moved was perhaps not seen
        updates = (one for phase in plays.game.phases for one in phase.updates if one.target in kept)
        found |= {one.target for one in updates if any(map(_is_carried, walk(one.value)))}
    return frozenset(found)


def _is_carried(expression: typed.Expression) -> bool:
    """Return whether an expression takes something from a set and puts something else into it, `men - {a} + {b}`."""
    match expression:
        case typed.SetOperation(
            operator="union", left=typed.SetOperation(operator="difference", left=typed.StateRead())
        ):
            return True
    return False


def movers(plays: Plays) -> Mapping[EnumType, Mapping[int, int]]:
    """Return whose men of a kind are (`man[cell]: {attacker, king, ...} or none`): who can move them, nobody else."""
    found: dict[EnumType, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for variable, board, man in [(one, *men) for one in plays.game.variables if (men := _men(one)) is not None]:
        moves = {
            id(kind) for step in plays.steps for kind, _ in step.chosen.values() if _is_move(step, variable, board)
        }
        for step in plays.steps if moves else ():
            for player, actions in step.legal.items():
                for kind, values in actions:
                    code = _on_first_cell(kind, values, step.before[variable], board) if id(kind) in moves else None
                    if code is not None and scalar_text(man, code) not in NOTHING:
                        found[man][code].add(player)
    return {
        man: {code: next(iter(players)) for code, players in owners.items()}
        for man, owners in found.items()
        if all(len(players) == 1 for players in owners.values()) and len(frozenset().union(*owners.values())) > 1
    }


def where_things_are(plays: Plays) -> frozenset[typed.Variable]:
    """Return the variables that say at which of few places each of several things is: moves name what comes to another.

    A move names the place, too, or the variable's name says that it is one: `peg_of[disk]: peg`, `bank[animal]: side`.
    """
    found = set()
    for variable in plays.game.variables:
        type_ = variable.type
        if not isinstance(type_, ArrayType) or len(type_.indices) != 1 or variable.is_kept or variable.part:
            continue
        (thing,), place = type_.indices, type_.element
        is_named = isinstance(thing, IntType) or (isinstance(thing, EnumType) and not is_player(thing))
        if not is_named or size(thing) > MAX_THINGS or not isinstance(place, EnumType) or place.role != "enumeration":
            continue
        if len(place.members) > MAX_PLACES or set(place.members) & set(COLOURS):
            continue
        says_where = bool(PLACE_WORDS & {*variable.name.lower().split("_"), *place.name.lower().split("_")})
        for step in plays.steps:
            before, after = (cast("tuple[int, ...]", of[variable]) for of in (step.before, step.after))
            for kind, values in step.chosen.values():
                named = {(part.type, code) for part, code in zip(kind.components, values, strict=True)}
                moved = [
                    at for at, code in enumerate(codes(thing)) if (thing, code) in named and before[at] != after[at]
                ]
                if any(says_where or (place, after[at]) in named for at in moved):
                    found.add(variable)
    return frozenset(found)


def rings(plays: Plays) -> frozenset[typed.Variable]:
    """Return the numbers that are sown: a move takes those of one place, and the places after it rise, around a ring.

    These are kept in one row, `seeds[house]`, or in one for each of two players, the second after the first.
    """
    found = set()
    kept = [one for one in plays.game.variables if _may_be_ring(one)]
    for before, after in _moves(plays) if kept else ():
        for variable in kept:
            old, new = (cast("tuple[int, ...]", of[variable]) for of in (before, after))
            changed = [place for place in range(len(old)) if old[place] != new[place]]
            emptied = [place for place in changed if not new[place]]
            if len(changed) <= MIN_SOWN or len(emptied) != 1:
                continue
            (first,) = emptied
            far = [(place - first) % len(old) for place in changed if new[place] == old[place] + 1]
            is_sown = len(far) == len(changed) - 1 == old[first] and 2 * old[first] < len(old)
            if is_sown and min(max(far), len(old) - min(far)) <= old[first] + 1:
                found.add(variable)
    return frozenset(found)


def _moves(plays: Plays) -> Iterator[tuple[Values, Values]]:
    """Yield the variables before each choice, and after the transitions that follow by themselves, such as sowing."""
    for play in plays.played:
        before: Values | None = None
        for step, following in zip_longest(play, play[1:]):
            before = step.before if step.chosen or before is None else before
            if following is None or following.chosen:
                yield before, step.after


def _may_be_ring(variable: typed.Variable) -> bool:
    """Return whether a variable counts what lies in each place of a row, or of one for each of two players."""
    type_ = variable.type
    if not isinstance(type_, ArrayType) or not isinstance(type_.element, IntType) or type_.element.low:
        return False
    *players, places = type_.indices
    is_row = isinstance(places, IntType) or (isinstance(places, EnumType) and places.role == "enumeration")
    is_one = not players or (len(players) == 1 and is_player(players[0]) and size(players[0]) == 2)
    initial = cast("tuple[int, ...]", variable.initial)
    is_filled = sum(initial) >= MIN_SOWN * len(initial) and len(initial) >= MIN_RING and not len(initial) % 2
    return is_row and is_one and is_filled and not variable.is_kept


def _is_move(step: Step, variable: typed.Variable, board: CellType) -> bool:
    """Return whether what stood on the first cell that the only action names stands on another now."""
    before, after = (cast("tuple[int | None, ...]", of[variable]) for of in (step.before, step.after))
    (kind, values), *others = step.chosen.values()
    man = _on_first_cell(kind, values, before, board)
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    return not others and man is not None and {man} <= {old for old, _ in changed} & {new for _, new in changed}


def _on_first_cell(kind: typed.ActionKind, values: tuple[int, ...], held: typed.Value, board: CellType) -> int | None:
    """Return what stands on the first cell of a board that an action names."""
    cells = (value for part, value in zip(kind.components, values, strict=True) if part.type == board)
    return next((cast("tuple[int | None, ...]", held)[cell] for cell in cells), None)


def _men(variable: typed.Variable) -> tuple[CellType, EnumType] | None:
    """Return the board and the kinds of men of a variable that says what stands on each cell."""
    type_ = variable.type
    if not isinstance(type_, ArrayType) or len(type_.indices) != 1 or variable.is_kept:
        return None
    (board,), element = type_.indices, type_.element
    man = element.inner if isinstance(element, OptionType) else element
    is_man = isinstance(board, CellType) and isinstance(man, EnumType) and man.role == "enumeration"
    return (board, man) if is_man else None  # type: ignore[return-value]


def cells_in_moves(plays: Plays, board: CellType) -> frozenset[int]:
    """Return the cells of a board that a legal action named."""
    return frozenset(
        value
        for step in plays.steps
        for actions in step.legal.values()
        for kind, values in actions
        for part, value in zip(kind.components, values, strict=True)
        if part.type == board
    )
