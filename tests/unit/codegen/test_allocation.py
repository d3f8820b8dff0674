"""Memory for named tuples of arrays."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, U64, allocated, resized
from ggp.codegen.kernels.types import Array, type_of_annotation

WIDTH = 3


class Row(NamedTuple):
    """One array."""

    entries: Annotated[I32, "N"]


class Memory(NamedTuple):
    """Arrays of several shapes, and what is made elsewhere."""

    words: Annotated[I64, "2 * N"]
    table: Annotated[F64, "max(N, 7), WIDTH"]
    key: Annotated[U64, "1"]
    row: Row
    size: int


def test_arrays_have_the_shapes_that_are_written_with_their_fields() -> None:
    row = allocated(Row, N=2)
    made = allocated(Memory, N=4, row=row, size=9)
    assert [array.shape for array in made[:3]] == [(8,), (7, WIDTH), (1,)]
    assert [array.dtype for array in (*made[:3], *row)] == [np.int64, np.float64, np.uint64, np.int32]
    assert not any(array.any() for array in made[:3])
    assert made.row is row
    assert made.size == 9


def test_a_shape_tells_kernels_how_many_dimensions_there_are() -> None:
    types = [type_of_annotation(Annotated[F64, shape]) for shape in ("N", "max(N, 7)", "N, 2", "N, max(M, 2), 3")]
    assert [isinstance(one, Array) and one.dimensions for one in types] == [1, 1, 2, 3]


def test_resized_arrays_keep_what_fits() -> None:
    made = allocated(Row, N=3)
    made.entries[:] = 1, 2, 3
    longer, shorter = resized(made, N=5), resized(made, N=2)
    assert longer.entries.tolist() == [1, 2, 3, 0, 0]
    assert shorter.entries.tolist() == [1, 2]
    made.entries[0] = 7
    assert longer.entries[0] == 1
    assert resized(made, N=4, entries=made.entries).entries is made.entries
