"""Prints the choices of the player `auto`, and the reasons, on the terminal."""

from __future__ import annotations

import logging
import sys


def tell_choices(program: str) -> None:
    """Write each choice of `auto` to standard error, after the name of a program such as `ggp play`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(f"{program}: %(message)s"))
    logger = logging.getLogger("ggp.auto")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.handlers[:] = [handler]
