"""Memory for kernels: named tuples of arrays whose shapes are written with their fields."""

from __future__ import annotations

import sys
import typing
from functools import cache
from typing import Any, TypeVar, cast

import numpy as np

from ggp.codegen.kernels.types import Array, type_of_annotation

Made = TypeVar("Made")


def allocated(of: type[Made], **given: Any) -> Made:
    """Return a named tuple of arrays of zeros.

    Args:
        of: its class. Fields are arrays, each with its shape, as in `Annotated[I64, "D, 2 * P"]`.
        given: lengths of the dimensions that shapes name, unless these are constants of the module; and fields that
            are there already.
    """
    names = vars(sys.modules[of.__module__]) | given
    fields = _fields(cast("Any", of)).items()
    return of(*(given[name] if name in given else np.zeros(eval(shape, names), kind) for name, (kind, shape) in fields))


def resized(arrays: Made, **given: Any) -> Made:
    """Return copies of arrays with other lengths: what fits of each, and zeros behind it.

    Args:
        arrays: a named tuple that `allocated` made, each array of one dimension.
        given: lengths of all dimensions, and fields that are not copied, as for `allocated`.
    """
    made = allocated(type(arrays), **given)
    for name, old, new in zip(cast("Any", made)._fields, cast("Any", arrays), cast("Any", made), strict=True):
        if name not in given:
            count = min(len(old), len(new))
            new[:count] = old[:count]
    return made


def resize_in_place(arrays: Any, **given: Any) -> None:
    """Change the lengths of arrays, where the system can without a copy; what is new is 0.

    Args:
        arrays: a named tuple that `allocated` made.
        given: as for `resized`; other named tuples in it stay as they are.
    """
    names = vars(sys.modules[type(arrays).__module__]) | given
    for name, (_, shape) in _fields(cast("Any", type(arrays))).items():
        if shape and name not in given:
            getattr(arrays, name).resize(eval(shape, names), refcheck=False)


@cache
def _fields(of: Any) -> dict[str, tuple[str, Any]]:
    """Return the type of the elements and the shape of each field; of one that is no array nothing."""
    found: dict[str, tuple[str, Any]] = {}
    for name, hint in typing.get_type_hints(of, include_extras=True).items():
        type_, shape = type_of_annotation(hint), typing.get_args(hint)[1:]
        found[name] = "", ""
        if isinstance(type_, Array) and shape and isinstance(shape[0], str):
            found[name] = type_.element.dtype, compile(shape[0], name, "eval")
    return found
