"""Which arrays of small numbers are packed into words, eight elements to a word: see `ggp.model.generate.packing`."""

from __future__ import annotations

from ggp.language import typed
from ggp.language.typed.types import ArrayType, RealType, ScalarType, SetType, Type, array_length, size
from ggp.model.generate.operands import bounds
from ggp.model.generate.size import mentions
from ggp.model.value_sets import kept_as_sets

BYTES = 8
"""Elements of a word."""
MAX_PACKED_WORDS = 4
"""Variables of more words stay in memory,"""
MAX_ROW_WORDS = 2
"""and so do those with rows of more words, since finding an element's word takes a comparison for each."""
MIN_PACKED = 5
"""Arrays of fewer elements are kept in a name each."""


def is_small(type_: Type) -> bool:
    """Return whether the values of a type fit into a byte."""
    if isinstance(type_, (ArrayType, SetType, RealType)):
        return False
    low, high = bounds(type_)
    return high - low < 256


def row_words(type_: ArrayType) -> int:
    """Return the number of words of a row of the last index."""
    return -(-size(type_.indices[-1]) // BYTES)


def rows_of(type_: ArrayType) -> int:
    """Return the number of rows of the last index of an array."""
    return array_length(type_) // size(type_.indices[-1])


def lowest_code(type_: ArrayType) -> int:
    """Return the code that a byte of 0 represents."""
    return bounds(type_.element)[0]


def packed_variables(game: typed.Game) -> frozenset[typed.Variable]:
    """Return the variables that are kept packed: those that a transition computes row by row, and that are small."""
    updates = [update for phase in game.phases for update in phase.updates]
    whole = {update.target for update in updates if not update.indices}
    binders = [(update.target, swept_binder(update)) for update in updates]
    # a loop over a set touches few elements: then words in memory are faster
    swept = {target for target, binder in binders if binder is not None and isinstance(binder.domain, ScalarType)}
    return frozenset(variable for variable in swept - whole - {*kept_as_sets(game)} if _fits(variable.type))


def _fits(type_: Type) -> bool:
    if not isinstance(type_, ArrayType) or not is_small(type_.element) or array_length(type_) < MIN_PACKED:
        return False
    return row_words(type_) <= MAX_ROW_WORDS and rows_of(type_) * row_words(type_) <= MAX_PACKED_WORDS


def swept_binder(update: typed.Update) -> typed.Binder | None:
    """Return the only binder of an update if it runs over the last index of its target; else None."""
    if len(update.binders) != 1 or not update.indices:
        return None
    (binder,) = update.binders
    *rows, last = update.indices
    is_last = isinstance(last, typed.Local) and last.symbol is binder.symbol
    if not is_last or any(mentions(binder.symbol, index) for index in rows):
        return None
    return binder if isinstance(binder.symbol.type, ScalarType) else None
