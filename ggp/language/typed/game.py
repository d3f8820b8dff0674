"""A checked game: its phases with what is chosen, changed and seen in them, its payoffs, and how it is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from ggp.language.text.source import Span
from ggp.language.typed.expressions import Binder, Constant, Expression, Function
from ggp.language.typed.symbols import Symbol, Table, Variable
from ggp.language.typed.types import CellType, EnumType, ScalarType, Type, size

# --- phases -----------------------------------------------------------------------------------------------------------


class Component(Struct, frozen=True):
    """One argument of an action or one draw of chance: a symbol and the set (or scalar type) it is taken from.

    The domain may read the components before it. While legal actions are listed, the symbol stands for the value under
    consideration, a scalar. In updates, `sees` and `next` it is what was chosen: see `Chooser`.
    """

    symbol: Symbol
    """Its type is what the rest of the phase sees: a scalar, or an array over players where `each` acts."""
    local: Symbol
    """A bound scalar: the value under consideration in `domain`s, `where` and `weight`s. Same as `symbol` for chance
    and for a single actor."""
    type: ScalarType
    """The type whose codes number the actions: the element type of the domain."""
    domain: ScalarType | Expression
    together: int = 1
    """How many components, from this one on, are a subset of its domain, in ascending order."""
    follows: bool = False
    """Whether it is a further member of the subset that the component before it belongs to."""
    most: int | None = None
    """How many values the domain has at most, where more is known than its type says."""

    @property
    def shortage(self) -> str:
        """What is wrong where chance finds too few values."""
        if self.together > 1:
            return f"there are fewer than {self.together} values to draw `{self.symbol.name.partition('[')[0]}` from"
        return f"there is nothing to draw `{self.symbol.name}` from"


def combinations(components: Sequence[Component]) -> int:
    """Return how many values some components can have together at most."""
    return math.prod(math.comb(_domain_size(part), part.together) for part in components if not part.follows)


def _domain_size(component: Component) -> int:
    domain = component.domain
    if component.most is not None:
        return component.most
    if isinstance(domain, Constant):
        assert isinstance(domain.value, frozenset)
        return len(domain.value)
    return size(component.type)


class ActionKind(Struct, frozen=True):
    """A kind of action: `raise by k in 1..bet_sizes where raises < max_raises`. Name None: the only, unnamed kind."""

    name: str | None
    components: tuple[Component, ...]
    where: Expression | None
    span: Span


class Chooser(Struct, frozen=True):
    """Who acts, and what is legal.

    `each`: all members of the set `actors` act at once, `binder` standing for each in turn in domains and `where`;
    the components' symbols are arrays over all players of `element or none`, none for those who do not act (plain
    elements, with no option, where `actors` is the constant set of all players and there is one kind). Otherwise
    `actor` is the one player who acts, and the symbols are scalars (reading one of another kind than was chosen
    cannot happen: the checker confines them to `on KIND`).
    """

    binder: Symbol | None
    actors: Expression | None
    actor: Expression | None
    kinds: tuple[ActionKind, ...]
    span: Span


class Chance(Struct, frozen=True):
    """What chance draws: all combinations of the components, each with probability proportional to its weight.

    With `weight` None all combinations are equally likely, and `successive` says that how many values a domain has does
    not depend on the components before it, so that each can be drawn by itself, in order. A chance phase with no
    components has one outcome.
    A sum of weights that is not positive, or a negative weight, is a fault `weights`; an empty domain a fault `empty`.
    """

    components: tuple[Component, ...]
    weight: Expression | None
    successive: bool
    span: Span


class Update(Struct, frozen=True):
    """An assignment `target[indices] := value`, for each binding of the binders for which `condition` holds.

    Right sides, indices, binders and conditions read the old state. `kind` names the action kind (`on KIND`) that must
    have been chosen by the single actor, or None. Two assignments to the same element in one transition
    are a fault `conflict`; `exclusive` says that the checker proved that this statement never meets another assignment
    to the same element, its own bindings included.
    """

    target: Variable
    indices: tuple[Expression, ...]
    value: Expression
    binders: tuple[Binder, ...]
    condition: Expression | None
    kind: str | None
    exclusive: bool
    span: Span


class Kept(Struct, frozen=True):
    """`old x`: a symbol, and the expression whose value in the old state it stands for; `kind` as in `Update`."""

    symbol: Symbol
    value: Expression
    kind: str | None


class Sees(Struct, frozen=True):
    """What some players are told: `sees AUDIENCE: values if condition`.

    `audience` is a set of players. `binder`, where given, stands for the player who is told, in values and condition
    (`sees each p: hand[p]`). All read the old state and the actions; `kind` as in `Update`. A player's observation of a
    transition is the sequence of the values of all `Sees` that reach it, each headed by the position of its `Sees` in
    the phase; a player whom none reaches observes nothing.
    """

    audience: Expression
    binder: Symbol | None
    values: tuple[Expression, ...]
    labels: tuple[str, ...]
    """The source text of each value, for people."""
    condition: Expression | None
    kind: str | None
    span: Span


class Transfer(Struct, frozen=True):
    """`next target if condition`; the first whose condition holds is taken. None: the game ends.

    Conditions read the new state, and the choices or draws that led to it. `kind` is as in `Update`.

    Transfers of one kind stand together, and the last of them has no condition. Those of all kinds (None) come last;
    they are missing where each kind of some chooser has its own.
    """

    target: str | None
    condition: Expression | None
    span: Span
    kind: str | None = None


class Phase(Struct, frozen=True):
    """Who acts, what changes, who sees what, what comes next.

    Exactly one of `chance` and `choosers` is there. Several choosers act at once and are different players. A phase
    written without `sees` has one `Sees` for all players with every choice or draw in it.
    """

    name: str
    chance: Chance | None
    choosers: tuple[Chooser, ...]
    functions: tuple[Function, ...]
    updates: tuple[Update, ...]
    sees: tuple[Sees, ...]
    transfers: tuple[Transfer, ...]
    span: Span
    kept: tuple[Kept, ...] = ()
    """What conditions of `transfers` read of the old state, evaluated in this order before the updates."""
    follows: bool = False
    """Whether it draws a further part of what the phase before it draws, which was too much for one transition."""

    @property
    def is_automatic(self) -> bool:
        """Whether nobody chooses and chance draws nothing: the state changes by itself."""
        return not self.choosers and (self.chance is None or not self.chance.components)


# --- the game ---------------------------------------------------------------------------------------------------------


class Parameter(Struct, frozen=True):
    """A parameter with its bound value, as text (`13`, `shuffled`, `yes`)."""

    name: str
    type: ScalarType
    value: int
    default: int
    comment: str
    """The comment at the end of its line, for help texts; empty if none."""


class StatedSum(Struct, frozen=True):
    """`payoff sum = value`."""

    value: float
    span: Span


class Look(Struct, frozen=True):
    """What is drawn: a shape of `ggp.language.pieces`, a text, or both.

    Attributes:
        shape: the name of a shape; or an expression, whose value's text names one, or is drawn as a text.
        text: drawn on the shape, or alone; what a terminal shows.
        owner: the player whose colour and pattern it has.
        colour: its colour; None: the owner's.
        label: a value written on it.
        count: how many lie there; nothing is drawn where it is 0.
    """

    shape: str | Expression | None
    text: str | None = None
    owner: Expression | None = None
    colour: str | None = None
    label: Expression | None = None
    count: Expression | None = None


class DisplayRule(Struct, frozen=True):
    """One line of `display`: where `what` (a cell, an option, or a set of cells) is, draw `look`, for all bindings.

    With `side`, a direction, it is drawn between those cells and their neighbours on that side.
    """

    what: Expression
    look: Look
    span: Span
    side: Expression | None = None
    binders: tuple[Binder, ...] = ()
    condition: Expression | None = None


class DisplayBoard(Struct, frozen=True):
    """How a board is drawn.

    Attributes:
        cells: of the board.
        style: one of `BOARD_STYLES`; None: as its game suggests.
        rules: in order; of those that draw on one layer of a cell, the first wins.
        steps: directions, or an array of neighbours, along which lines join the cells; None: no lines.
    """

    cells: CellType
    style: str | None
    rules: tuple[DisplayRule, ...]
    steps: Expression | None = None


class DisplayLine(Struct, frozen=True):
    """A labelled value beside the boards; `kind` is one of `LINE_KINDS`.

    `values` is one expression of the type `type`, or one for each element of that array, row-major, or one for each
    place of that sequence, none beyond its last item.
    """

    kind: str
    label: str
    values: tuple[Expression, ...]
    type: Type
    span: Span


class Display(Struct, frozen=True):
    """How a state is drawn: boards, and labelled values beside them."""

    boards: tuple[DisplayBoard, ...]
    lines: tuple[DisplayLine, ...]


class Game(Struct, frozen=True):
    """A checked game. The first phase is where play begins, in the variables' initial values."""

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    players: EnumType
    variables: tuple[Variable, ...]
    tables: tuple[Table, ...]
    functions: tuple[Function, ...]
    """All functions of the state alone, in order of declaration."""
    phases: tuple[Phase, ...]
    payoff: tuple[Expression, ...]
    """One real expression a player, read in the terminal state."""
    estimate: tuple[Expression, ...] | None
    utility_bounds: tuple[tuple[float, float], ...]
    """Proven lowest and highest utility of each player."""
    display: Display | None
    """How a state is drawn for who may see all of it."""
    source_name: str
    source_text: str
    stated_sum: StatedSum | None = None
    """What the rules state that the payoffs of all players add up to; another sum is a fault `other_sum`."""
    views: tuple[Display, ...] = ()
    """How a state is drawn for each player; empty where the rules do not say."""
    work: float = math.inf
    """Combinations of values that one transition may run through, at most, with the payoff that it leads to; an
    operation on large sets, or a round of a search, counts as several."""
