"""The root of the errors that come from outside: a rules file, an argument, a message, a disk."""

from __future__ import annotations

from typing import ClassVar


class GgpError(Exception):
    """Bad input, told in one line by `str(error)`. Every error of ours that a caller may want to treat derives from it.

    Our own mistakes are assertions instead and show a traceback.
    """

    names_place: ClassVar[bool] = False
    """Whether the text begins with the place and the word `error` itself, as diagnostics of rules do."""
