"""How much memory is free, as far as the system tells."""

from __future__ import annotations

import os
from pathlib import Path

UNKNOWN_BYTES = 4 * 2**30
"""Assumed to be free if the system does not tell."""


def free_memory_bytes(told: Path = Path("/proc/meminfo")) -> int:
    """Return the bytes that programs can use before the machine begins to swap.

    On Linux this is the available memory, elsewhere the installed memory, or 4 GiB if nothing is known.
    """
    if told.exists():
        for line in told.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return UNKNOWN_BYTES
