"""Random states to begin plays in: code that plays from the initial state seldom reach is compared, too."""

from __future__ import annotations

from ggp.arithmetic.rng import below
from ggp.interpreter.interpreter import WorldState
from ggp.language import typed
from ggp.language.typed.types import ArrayType, OptionType, ScalarType, SetType, Type, array_length, codes, size


def scattered_state(game: typed.Game, state: WorldState, rng: list[int]) -> WorldState:
    """Return a state of a random phase in which half of the variables have random values.

    Play need not lead there; all implementations have to agree on it all the same, and meet code that few plays run.
    What the checker made, such as histories, stays as it is in `state`.
    """
    phases = [*(phase.name for phase in game.phases if not phase.follows), None]
    values = list(state.values)
    for place, variable in enumerate(game.variables):
        if variable.is_kept or below(rng, 2):
            continue
        if variable.part == "items":
            items, number = _random_sequences(variable.type, rng)
            values[place], values[place + 1] = items, number if isinstance(values[place + 1], tuple) else number[0]
        elif not variable.part:
            values[place] = random_value(variable.type, rng, variable.most)
    return WorldState(phases[below(rng, len(phases))], tuple(values))


def random_value(type_: Type, rng: list[int], most: int | None = None) -> typed.Value:
    """Return a value of a type; the least one more often than others, as it often has a meaning of its own."""
    match type_:
        case ArrayType(_, element):
            return tuple(random_value(element, rng, most) for _ in range(array_length(type_)))
        case OptionType(inner):
            return None if below(rng, 3) == 0 else random_value(inner, rng)
        case SetType(element):
            among, one_of = codes(element), 1 + below(rng, 4)
            members = [code for code in among if below(rng, one_of) == 0]
            return frozenset(members if most is None else members[:most])
    assert isinstance(type_, ScalarType)
    return codes(type_)[below(rng, 1 + below(rng, size(type_)))]


def _random_sequences(type_: Type, rng: list[int]) -> tuple[tuple[typed.Value, ...], tuple[int, ...]]:
    """Return the items of all sequences of a variable, and their numbers."""
    assert isinstance(type_, ArrayType)
    assert isinstance(type_.element, OptionType)
    most = size(type_.indices[-1])
    numbers = tuple(below(rng, most + 1) for _ in range(array_length(type_) // most))
    inner = type_.element.inner
    items = (random_value(inner, rng) if at < number else None for number in numbers for at in range(most))
    return tuple(items), numbers
