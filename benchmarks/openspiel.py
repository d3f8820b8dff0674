"""OpenSpiel, which experiments and benchmarks compare with: where it is missing they say so in one line and end."""

from __future__ import annotations

import sys

try:
    import pyspiel
except ModuleNotFoundError:
    print("error: this compares with OpenSpiel, which is not installed: pip install open_spiel", file=sys.stderr)
    raise SystemExit(2) from None

__all__ = ["pyspiel"]
