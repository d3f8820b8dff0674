"""How much memory the machine has left, as far as the system tells."""

from __future__ import annotations

import os
from pathlib import Path

UNKNOWN_BYTES = 4 * 2**30
"""Taken to be free where the system does not tell."""


def free_memory_bytes(told: Path = Path("/proc/meminfo")) -> int:
    """Return the bytes that programs can have before the machine begins to swap.

    That is what Linux calls available, elsewhere the memory that is built in, and 4 GiB where nothing is known.

    Args:
        told: where Linux tells it.
    """
    if told.exists():
        for line in told.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return UNKNOWN_BYTES
