"""What players tell of themselves on the terminal: the choices of `auto`, and the reasons."""

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


def tell_no_repairs() -> None:
    """Leave out that a belief was found anew: a board says what is sure, and a report is about the game."""
    logging.getLogger("players.beliefs").setLevel(logging.ERROR)
