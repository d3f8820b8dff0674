"""The reference interpreter: what a checked game means, on readable values; slow, obvious, the oracle.

World states, actions and observations are plain values here; their numbers and words are `ggp.encoding.state_layout`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from ggp.faults import RulesFault
from ggp.language import typed
from ggp.language.evaluation.expressions import (
    bindings,
    domain_codes,
    element_position,
    evaluate,
    holds,
    integer,
    members,
    number,
)
from ggp.language.evaluation.scope import Action, Scope
from ggp.language.typed.types import ArrayType
from ggp.static_analysis.payoffs import check_sum

Outcome: TypeAlias = tuple[int, ...]
"""A chance outcome: the code of each component drawn."""

JointAction: TypeAlias = Mapping[int, Action]
"""The action of each player who acts."""


class Seen(NamedTuple):
    """What one `sees` told a player: its position in the phase, and its values."""

    position: int
    values: tuple[typed.Value, ...]


Observation: TypeAlias = tuple[Seen, ...]
"""What one transition told a player; empty: nothing."""


class WorldState(Struct, frozen=True):
    """Where the game is. `phase` is None when it has ended; `values` are in order of the variables' declaration."""

    phase: str | None
    values: tuple[typed.Value, ...]


class Interpreter:
    """The meaning of one checked game. Holds no state of its own; every method is a function of its arguments.

    All methods raise `RulesFault` where the rules fail, `LimitExceeded` where one call of a method takes more than
    `work_limit` function calls and bindings, and `Stopped` where `go_on`, which is asked now and then, says no. Players
    are numbered in order of declaration, from 0.
    """

    def __init__(
        self, game: typed.Game, work_limit: int | None = None, go_on: Callable[[], bool] | None = None
    ) -> None:
        self.game = game
        self.work_limit = work_limit
        self.go_on = go_on
        self._phases = {phase.name: phase for phase in game.phases}

    def initial(self) -> WorldState:
        """Return the world state in which play begins."""
        return WorldState(self.game.phases[0].name, tuple(variable.initial for variable in self.game.variables))

    def phase(self, state: WorldState) -> typed.Phase:
        """Return the phase of a state that is not terminal."""
        assert state.phase is not None, "the game has ended"
        return self._phases[state.phase]

    def is_terminal(self, state: WorldState) -> bool:
        """Return whether the game has ended."""
        return state.phase is None

    def is_chance(self, state: WorldState) -> bool:
        """Return whether chance acts."""
        return state.phase is not None and self.phase(state).chance is not None

    # --- what can be chosen -------------------------------------------------------------------------------------------

    def actors(self, state: WorldState) -> tuple[int, ...]:
        """Return the players who act, in ascending order; empty where chance acts or the game has ended."""
        return tuple(sorted(self._choosers(state)))

    def legal(self, state: WorldState, player: int) -> list[Action]:
        """Return the legal actions of a player in order of their numbers; empty where the player does not act.

        A player who acts and has no legal action is a fault `dead_end`.
        """
        place = self._choosers(state).get(player)
        if place is None:
            return []
        chooser = self.phase(state).choosers[place]
        scope = self.scope(state, settled=False)
        if chooser.binder is not None:
            scope.symbols[chooser.binder] = player
        actions = [
            Action(place, kind_place, values)
            for kind_place, kind in enumerate(chooser.kinds)
            for values in _combinations(kind.components, scope, by_chance=False)
            if holds(kind.where, scope)
        ]
        if not actions:
            name = self.game.players.members[player]
            raise RulesFault("dead_end", chooser.span, f"`{name}` has to act and has no legal action")
        return actions

    def chance_outcomes(self, state: WorldState) -> list[tuple[Outcome, float]]:
        """Return the chance outcomes of positive probability in order of their numbers, with their probabilities."""
        chance = self.phase(state).chance
        assert chance is not None, "chance does not act in this phase"
        scope = self.scope(state, settled=False)
        weighted = []
        for outcome in _combinations(chance.components, scope, by_chance=True):
            weight = 1.0 if chance.weight is None else number(chance.weight, scope)
            if weight < 0:
                raise RulesFault("weights", chance.span, "a chance weight is negative", f"{weight:g}")
            if weight > 0:
                weighted.append((outcome, weight))
        total = sum(weight for _, weight in weighted)
        if not total > 0:
            raise RulesFault("weights", chance.span, "the chance weights add up to 0")
        return [(outcome, weight / total) for outcome, weight in weighted]

    def outcome_count(self, state: WorldState, outcome: Outcome) -> int:
        """Return the number of chance outcomes, 0 if `outcome` is none; they are listed only where needed."""
        chance = self.phase(state).chance
        assert chance is not None, "chance does not act in this phase"
        if not chance.successive:
            listed = [one for one, _ in self.chance_outcomes(state)]
            return len(listed) if outcome in listed else 0
        scope, count = self.scope(state, settled=False), 1
        for component, code in zip(chance.components, outcome, strict=True):
            domain = domain_codes(component.domain, scope)
            if code not in domain:
                return 0
            count *= 1 if component.follows else math.comb(len(domain), component.together)
            scope.symbols[component.local] = code
        return count

    # --- what happens -------------------------------------------------------------------------------------------------

    def step(self, state: WorldState, chosen: JointAction | Outcome) -> WorldState:
        """Return the state after legal actions of all who act, or after a possible chance outcome.

        Args:
            state: not terminal.
            chosen: an outcome where chance acts, else an action of each player who acts.
        """
        phase = self.phase(state)
        old = self._settled_scope(state, chosen)
        kept = {part.symbol: evaluate(part.value, old) for part in phase.kept if _concerns(part.kind, phase, chosen)}
        assigned: dict[tuple[typed.Variable, int], typed.Value] = {}
        for update in phase.updates:
            if not _concerns(update.kind, phase, chosen):
                continue
            for _ in bindings(update.binders, old):
                if holds(update.condition, old):
                    place = element_position(update.target.type, update.indices, old) if update.indices else 0
                    value = evaluate(update.value, old)
                    if (update.target, place) in assigned:
                        reason = f"`{update.target.name}` is assigned twice in one transition"
                        raise RulesFault("conflict", update.span, reason)
                    assigned[update.target, place] = value
        values = tuple(
            _updated(variable, value, assigned)
            for variable, value in zip(self.game.variables, state.values, strict=True)
        )
        new = self._settled_scope(state, chosen, values)
        new.symbols.update(kept)
        try:
            taken = (transfer for transfer in phase.transfers if _concerns(transfer.kind, phase, chosen))
            return WorldState(next(transfer.target for transfer in taken if holds(transfer.condition, new)), values)
        except RulesFault as fault:
            fault.in_next = True
            raise

    def observation(self, state: WorldState, chosen: JointAction | Outcome, player: int) -> Observation:
        """Return what the transition from `state` by `chosen` tells a player."""
        phase = self.phase(state)
        scope = self._settled_scope(state, chosen)
        observation = []
        for position, sees in enumerate(phase.sees):
            if not _concerns(sees.kind, phase, chosen) or player not in members(sees.audience, scope):
                continue
            if sees.binder is not None:
                scope.symbols[sees.binder] = player
            if holds(sees.condition, scope):
                observation.append(Seen(position, tuple(evaluate(value, scope) for value in sees.values)))
        return tuple(observation)

    # --- what it is worth ---------------------------------------------------------------------------------------------

    def utilities(self, state: WorldState) -> tuple[float, ...]:
        """Return each player's utility in a terminal state."""
        assert self.is_terminal(state), "utilities are of terminal states"
        scope = self.scope(state)
        utilities = tuple(float(number(payoff, scope)) for payoff in self.game.payoff)
        check_sum(self.game, utilities)
        return utilities

    def estimates(self, state: WorldState) -> tuple[float, ...] | None:
        """Return the rules' estimate of each player's utility in a state that is not terminal; None: they have none."""
        assert not self.is_terminal(state), "estimates are of states that are not terminal"
        if self.game.estimate is None:
            return None
        scope = self.scope(state)
        return tuple(float(number(estimate, scope)) for estimate in self.game.estimate)

    # --- scopes -------------------------------------------------------------------------------------------------------

    def scope(self, state: WorldState, settled: bool = True) -> Scope:
        """Return a scope in which expressions read a state, and no choices."""
        variables = dict(zip(self.game.variables, state.values, strict=True))
        return Scope(variables, settled=settled, work_limit=self.work_limit, go_on=self.go_on)

    def _settled_scope(
        self, state: WorldState, chosen: JointAction | Outcome, values: tuple[typed.Value, ...] | None = None
    ) -> Scope:
        """Return a scope that reads a state's variables (or other values for them) and what was chosen."""
        phase = self.phase(state)
        scope = self.scope(WorldState(phase.name, state.values if values is None else values))
        if phase.chance is not None:
            assert isinstance(chosen, tuple), "chance acts"
            symbols = (component.symbol for component in phase.chance.components)
            scope.symbols.update(zip(symbols, chosen, strict=True))
            return scope
        assert not isinstance(chosen, tuple), "players act"
        assert tuple(sorted(chosen)) == self.actors(state), "all who act choose"
        scope.actions = chosen
        players = range(len(self.game.players.members))
        for place, chooser in enumerate(phase.choosers):
            for kind_place, kind in enumerate(chooser.kinds):
                taken = {
                    player: action.values
                    for player, action in chosen.items()
                    if (action.chooser, action.kind) == (place, kind_place)
                }
                for component_place, component in enumerate(kind.components):
                    if chooser.actors is not None:
                        values_of_all = (taken[p][component_place] if p in taken else None for p in players)
                        scope.symbols[component.symbol] = tuple(values_of_all)
                    elif taken:
                        (only,) = taken.values()
                        scope.symbols[component.symbol] = only[component_place]
        return scope

    def _choosers(self, state: WorldState) -> dict[int, int]:
        """Return for each player who acts the position of the chooser that lets it."""
        if state.phase is None or self.is_chance(state):
            return {}
        phase, scope = self.phase(state), self.scope(state)
        places: dict[int, int] = {}
        for place, chooser in enumerate(phase.choosers):
            if chooser.actors is not None:
                acting = sorted(members(chooser.actors, scope))
            else:
                assert chooser.actor is not None
                acting = [integer(chooser.actor, scope)]
            for player in acting:
                if player in places:
                    name = self.game.players.members[player]
                    raise RulesFault("conflict", chooser.span, "a player acts twice in one phase", name)
                places[player] = place
        if not places:
            raise RulesFault("empty", phase.choosers[0].span, f"nobody acts in phase `{phase.name}`")
        return places


def _combinations(components: tuple[typed.Component, ...], scope: Scope, by_chance: bool) -> Iterator[tuple[int, ...]]:
    """Yield each combination of the components' values in ascending order, bound to their local symbols."""
    if not components:
        yield ()
        return
    first, *rest = components
    domain = domain_codes(first.domain, scope)
    if by_chance and not first.follows and len(domain) < first.together:
        raise RulesFault("empty", first.symbol.span, first.shortage)
    for code in domain:
        scope.count_work()
        scope.symbols[first.local] = code
        for others in _combinations(tuple(rest), scope, by_chance):
            yield (code, *others)


def _concerns(kind: str | None, phase: typed.Phase, chosen: JointAction | Outcome) -> bool:
    """Return whether a statement `on kind` applies to the actions chosen; one without `on` always does."""
    if kind is None:
        return True
    assert not isinstance(chosen, tuple), "chance has no kinds"
    return any(phase.choosers[action.chooser].kinds[action.kind].name == kind for action in chosen.values())


def _updated(
    variable: typed.Variable, old: typed.Value, assigned: Mapping[tuple[typed.Variable, int], typed.Value]
) -> typed.Value:
    """Return a variable's new value: the old one with the assigned elements in place."""
    if not isinstance(variable.type, ArrayType):
        return assigned.get((variable, 0), old)
    assert isinstance(old, tuple)
    return tuple(assigned.get((variable, position), entry) for position, entry in enumerate(old))
