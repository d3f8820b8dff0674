"""The table of built-in functions: how each is written, explained and checked.

What a function means besides stands in its check, which makes typed nodes of it; `ggp.arithmetic.real_functions` is the
table of functions of one real number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from ggp.arithmetic.real_functions import REAL_FUNCTIONS
from ggp.language import syntax
from ggp.language.check.checking import Checking
from ggp.language.check.expressions import built_in_functions as check
from ggp.language.check.expressions.histories import repeats
from ggp.language.typed import Expression


class BuiltIn(Struct, frozen=True):
    """A built-in function.

    Attributes:
        check: makes the typed expression of a call.
        forms: how it is written; each takes one argument more than the one before.
        help: what it gives, said behind the forms in editors.
        open_ended: whether it takes more arguments than the forms show; its check counts them.
    """

    check: Callable[[Checking, syntax.Call], Expression]
    forms: tuple[str, ...]
    help: str
    open_ended: bool = False


BUILT_INS: Mapping[str, BuiltIn] = {
    "abs": BuiltIn(check.absolute, ("abs(x)",), "`abs(x)`: the absolute value of x."),
    "sign": BuiltIn(check.sign, ("sign(x)",), "`sign(x)`: -1, 0 or 1."),
    **{
        name: BuiltIn(check.real_function(name), (f"{name}(x)",), function.explanation)
        for name, function in REAL_FUNCTIONS.items()
    },
    "other": BuiltIn(check.neighbour, ("other(p)",), "`other(p)`: the opponent, in a game for two players."),
    "after": BuiltIn(
        check.neighbour,
        ("after(p)", "after(p, S)"),
        "`after(p)`: the next player in turn; after the last one the first. `after(p, S)`: the next one in S.",
    ),
    "opposite": BuiltIn(check.opposite_direction, ("opposite(d)",), "`opposite(d)`, `-d`: the opposite direction."),
    "count": BuiltIn(
        check.of_set,
        ("count(S)",),
        "`count x in S: c`: for how many x the condition holds. `count(S)`: the number of members of a set.",
    ),
    "sum": BuiltIn(check.of_set, ("sum(S)",), "`sum x in S: e`, `sum(S)`: the sum; of nothing: 0."),
    "min": BuiltIn(
        check.of_set,
        ("min(S)", "min(a, b)"),
        "`min x in S: e`, `min(S)`, `min(a, b)`: the smallest; of nothing: a fault.",
        open_ended=True,
    ),
    "max": BuiltIn(
        check.of_set,
        ("max(S)", "max(a, b)"),
        "`max x in S: e`, `max(S)`, `max(a, b)`: the largest; of nothing: a fault.",
        open_ended=True,
    ),
    "hash": BuiltIn(
        check.hash_,
        ("hash(m, a, b)",),
        "`hash(m, a, b)`: a fixed number in 0..m-1 that looks random and depends on a and b.",
        open_ended=True,
    ),
    "repeats": BuiltIn(
        repeats,
        ("repeats(history)",),
        "`repeats(h)`: how often the history's current values occurred before; "
        "`repeats(h, a, b)`: the same for a and b.",
        open_ended=True,
    ),
}


def call_built_in(checking: Checking, node: syntax.Call) -> Expression:
    """Check a call of a built-in function."""
    name, given = node.name.text, len(node.arguments)
    known = BUILT_INS[name]
    if not known.open_ended and not 1 <= given <= len(known.forms):
        forms = " or ".join(f"`{form}`" for form in known.forms)
        checking.fail(node.span, f"`{name}` takes 1 argument, not {given}", forms)
    return known.check(checking, node)
