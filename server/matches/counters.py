"""Counters of what happens in a manager, for `/metrics`."""

from __future__ import annotations

from collections import Counter

Labels = tuple[tuple[str, str], ...]


class Counters:
    """Counters by name and labels."""

    def __init__(self) -> None:
        self.values: Counter[tuple[str, Labels]] = Counter()

    def add(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a counter; `name` is without the prefix and `_total`."""
        self.values[name, tuple(sorted(labels.items()))] += amount  # type: ignore[assignment]
