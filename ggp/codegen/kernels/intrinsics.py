"""Functions that are instructions in kernels; in plain Python they do the same."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np


def pointer(array: np.ndarray[Any, Any], at: int) -> int:
    """Return the address of element `at` of an array."""
    return int(array.ctypes.data) + array.itemsize * at


def call_function(function: int, words: tuple[int, ...]) -> int:
    """Call the function at an address with integers and pointers, and return its integer."""
    return int(ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * len(words))(function)(*words))


def call_procedure(function: int, words: tuple[int, ...]) -> None:
    """Call a function at an address that returns nothing."""
    ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * len(words))(function)(*words)


def bit_length(number: int) -> int:
    """Return the length in bits of a number of at least 0."""
    return int(number).bit_length()
