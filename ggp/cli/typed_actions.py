"""What a person types, as one of the legal actions: its text or number, or a part that no other action has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


class ActionNumbers:
    """Numbers of actions: an action keeps the number with which it was first listed, whatever is legal later."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of an action, a new one if it has none."""
        return self._numbers.setdefault(text, len(self._numbers) + 1)

    def meant(self, answer: str, legal: Sequence[str]) -> list[str]:
        """Return the legal actions that an answer may mean; one where it is clear, none where nothing fits.

        The first that fits counts: the whole text, a number, the text without blanks (`e2e4`), how it begins (`fo` for
        `fold`), how its words begin (`r 2` for `raise 2`), a word in it (`e4`), anything in it.
        """
        if answer in legal:
            return [answer]
        digits = answer.removeprefix("#")
        if digits.isdecimal():
            numbered = [text for text in legal if self._numbers.get(text) == int(digits)]
            if numbered or answer.startswith("#"):
                return numbered
        typed = answer.casefold().split()
        if not typed:
            return []
        for fitting in self._fitting(typed, [(text, text.casefold().split()) for text in legal]):
            if fitting:
                return fitting
        return []

    def _fitting(self, typed: Sequence[str], legal: Sequence[tuple[str, list[str]]]) -> Iterator[list[str]]:
        squeezed = "".join(typed)
        yield [text for text, words in legal if "".join(words) == squeezed]
        yield [text for text, words in legal if words[: len(typed)] == typed]
        yield [text for text, words in legal if "".join(words).startswith(squeezed)]
        yield [text for text, words in legal if _begin(typed, words)]
        yield [text for text, words in legal if set(typed) <= set(words)]
        yield [text for text, words in legal if squeezed in "".join(words)]


def _begin(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether the words typed are beginnings of words of an action, in this order."""
    left = iter(words)
    return all(any(word.startswith(part) for word in left) for part in typed)
