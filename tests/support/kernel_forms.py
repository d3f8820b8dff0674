"""Kernels and parts of kernels in both of their forms: compiled, and as plain Python."""

from functools import cache

import pytest

from ggp.codegen.kernels import kernel

both_forms = pytest.mark.parametrize("plain", [False, True], ids=["compiled", "plain"])


def form(kernel, plain: bool):
    """Return a kernel, or a part of kernels, as plain Python or compiled."""
    if hasattr(kernel, "py_func"):
        return kernel.py_func if plain else kernel
    return kernel if plain else compiled(kernel)


@cache
def compiled(part):
    """Return a part of kernels as a kernel of its own."""
    return kernel(part)
