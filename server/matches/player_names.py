"""Names of players: which are allowed, and which look so much alike that they count as the same."""

from __future__ import annotations

import unicodedata

_LOOKALIKES = {
    # Cyrillic and Greek letters, and signs, that are drawn like Latin letters, after case folding.
    "a": "аαɑ", "b": "ьв", "c": "сϲ¢", "d": "ԁ", "e": "еҽё℮", "g": "ɡ", "h": "һн", "i": "іιїı1lǀ|!ӏ",
    "j": "јϳ", "k": "кκ", "m": "м", "n": "пη", "o": "оοσ0ө", "p": "рρ", "q": "ԛ", "r": "г", "s": "ѕ5$", "t": "тτ",
    "u": "υս", "v": "ѵν", "w": "ԝωш", "x": "хχ×", "y": "уγүý", "z": "2",
    "-": "‐‑‒–—−_", "'": "’‘`´", ".": "·․",
}  # fmt: skip
_SKELETON = str.maketrans({lookalike: letter for letter, several in _LOOKALIKES.items() for lookalike in several})

_REFUSED = {
    "Cf": "has characters that are not seen",
    "Co": "has private characters, which look different everywhere",
    "Cn": "has characters that are not assigned",
    "Cs": "has half a character",
    "Zl": "has a line break",
    "Zp": "has a line break",
}


def normalised(name: str) -> str:
    """Return a name in the form in which it is kept (NFC)."""
    return unicodedata.normalize("NFC", name)


def refusal(name: str) -> str | None:
    """Return why a name is not accepted, as a sentence; None where it is."""
    for character in name:
        reason = _REFUSED.get(unicodedata.category(character))
        if reason is not None:
            return f"the name {reason} (U+{ord(character):04X}); choose another one"
    if not name.isprintable():
        return "the name has characters that do not print; choose another one"
    if sum(unicodedata.combining(character) > 0 for character in name) > 4:
        return "the name has too many accents on top of each other; choose another one"
    return None


def skeleton(name: str) -> str:
    """Return what two names share that count as the same: case, width and letters that look alike do not matter.

    Source: the idea of Unicode Technical Standard 39, section 4, with a small table of its own instead of the
    standard's, which has 6,000 entries: Latin letters against Cyrillic, Greek and digits.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(folded.translate(_SKELETON).split())
