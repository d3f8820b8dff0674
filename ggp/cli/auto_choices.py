"""Tells on the terminal what the player `auto` chose, and why."""

from __future__ import annotations

import logging
import sys


def tell_choices(program: str) -> None:
    """Write what `auto` chooses to standard error, a line each, behind the name of a program such as `ggp play`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(f"{program}: %(message)s"))
    logger = logging.getLogger("ggp.auto")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.handlers[:] = [handler]
