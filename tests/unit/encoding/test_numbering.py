"""Types that hold the texts of others, and the numbers of an action kind."""

from __future__ import annotations

from graphlib import CycleError

import pytest

from ggp.encoding.numbering import parse_scalar, unify
from ggp.language.typed.types import CellType, EnumType, IntType


def test_a_type_with_the_texts_of_two() -> None:
    type_, places = unify([EnumType("", ("b", "d")), EnumType("", ("a", "b", "c", "d")), EnumType("", ("c", "d"))])
    assert isinstance(type_, EnumType)
    assert set(type_.members) == set("abcd")
    for own, found in zip((("b", "d"), ("a", "b", "c", "d"), ("c", "d")), places, strict=True):
        assert found is not None
        assert tuple(type_.members[place] for place in found) == own
        assert list(found) == sorted(found)


def test_integers_are_numbered_over_the_widest_range() -> None:
    assert unify([IntType(1, 3), IntType(-2, 2)]) == (IntType(-2, 3), [None, None])


def test_cells_of_different_boards_are_the_same_where_their_names_are() -> None:
    type_, places = unify([CellType("small", 2, 2), CellType("wide", 3, 2)])
    assert isinstance(type_, EnumType)
    for own, found in zip(("a1 b1 a2 b2", "a1 b1 c1 a2 b2 c2"), places, strict=True):
        assert found is not None
        assert " ".join(type_.members[place] for place in found) == own


def test_orders_that_contradict_each_other_have_no_common_type() -> None:
    with pytest.raises(CycleError):
        unify([EnumType("", ("a", "b")), EnumType("", ("b", "a"))])


def test_cells_are_read_by_column_letter_and_row() -> None:
    assert [parse_scalar(CellType("cell", 3, 2), text) for text in ("a1", "c2", "d1", "a3", "1a", "")] == [
        0, 5, None, None, None, None,
    ]  # fmt: skip
