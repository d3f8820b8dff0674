"""The machine on which measurements were made: processor, load, versions."""

from __future__ import annotations

import datetime
import os
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("llvmlite", "numpy", "open_spiel")


def processor() -> str:
    """Return the name of the processor as reported by the system."""
    told = Path("/proc/cpuinfo")
    if told.exists():
        for line in told.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def machine_facts() -> dict[str, str]:
    """Return the date, the processor, the load of the last minute, and versions."""
    facts = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
    }
    if hasattr(os, "getloadavg"):
        facts["load"] = f"{os.getloadavg()[0]:.1f}"
    for package in PACKAGES:
        with suppress(PackageNotFoundError):  # OpenSpiel is optional
            facts[package] = version(package)
    return facts


def machine_line() -> str:
    """Return the facts as a sentence for pages of results that clocks decide."""
    facts = ", ".join(f"{key} {fact}" for key, fact in machine_facts().items())
    return f"Clocks make every run another one. This one: {facts}."
