"""Names of players: which are allowed, and which are so similar that they count as the same."""

from __future__ import annotations

import unicodedata
from functools import cache

_MORE_LOOKALIKES = {"i": "ıl1|!ǀ", "o": "0", "s": "5$", "z": "2", "c": "¢", "-": "_", "'": "`´"}
"""In addition to Unicode's: characters that look alike in many typefaces, after case folding."""

_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Two letters that look like one."""

_REFUSED = {
    "Cf": "has invisible characters",
    "Co": "has private characters, which look different everywhere",
    "Cn": "has characters that are not assigned",
    "Cs": "has half a character",
    "Zl": "has a line break",
    "Zp": "has a line break",
}

_BLANK = frozenset(map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x180E), 0x2800, 0x3164, 0xFFA0)))
"""Letters and signs that look like nothing, besides the categories above."""


def normalised(name: str) -> str:
    """Return a name in the form in which it is stored (NFC)."""
    return unicodedata.normalize("NFC", name)


def refusal(name: str) -> str | None:
    """Return why a name is not accepted, as a sentence; None if it is accepted."""
    for character in name:
        reason = _REFUSED.get(unicodedata.category(character))
        if character in _BLANK or "VARIATION SELECTOR" in unicodedata.name(character, ""):
            reason = "has invisible characters"
        if reason is not None:
            return f"the name {reason} (U+{ord(character):04X}); choose another one"
    if not name or not name.isprintable() or name != name.strip():
        return "the name has characters that do not print, or a space at an end; choose another one"
    if name in (".", ".."):
        return f"`{name}` cannot be part of an address; choose another name"
    if sum(unicodedata.combining(character) > 0 for character in name) > 4:
        return "the name has too many accents on top of each other; choose another one"
    return None


def skeleton(name: str) -> str:
    """Return a key that is the same for names that count as the same, ignoring case, width and similar letters.

    What looks like a Latin letter or a digit becomes it before case is folded: a capital nu looks like N, a small one
    like v.

    Source: Unicode Technical Standard 39, section 4, with its table of confusables, and a few more.
    """
    seen = unicodedata.normalize("NFKC", name).translate(_latin())
    folded = unicodedata.normalize("NFKC", seen.casefold()).translate(_latin())
    for several, one in _PAIRS:
        folded = folded.replace(several, one)
    return "".join(folded.translate(_lookalikes()).split())


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    from confusable_homoglyphs.confusables import confusables_data  # a megabyte of JSON

    entries = ((one, entry["c"]) for one, others in confusables_data.items() for entry in others)
    return tuple((one, other) for one, other in entries if len(one) == len(other) == 1)


@cache
def _latin() -> dict[int, str]:
    """Return the letter, digit or sign of ASCII that a character looks like; of its other case if itself has none."""
    direct = {one: other for one, other in _pairs() if other.isascii() and not one.isascii()}
    table = dict(direct)
    for one, other in direct.items():
        for same in (one.lower(), one.upper()):
            if len(same) == 1 and not same.isascii():
                table.setdefault(same, other)
    return {ord(one): other for one, other in table.items()}


@cache
def _lookalikes() -> dict[int, str]:
    """Return a representative for each character that looks like others, the same for all of them."""
    alike: dict[str, set[str]] = {}
    """For each character its set; characters that look alike, directly or by way of others, share one set."""
    for one, other in _pairs():
        if one.isascii() == other.isascii() and not {ord(one), ord(other)} & _latin().keys():
            _join(alike, one.casefold(), other.casefold())
    for letter, several in _MORE_LOOKALIKES.items():
        for other in several:
            _join(alike, letter, other)
    return {ord(character): min(together) for character, together in alike.items() if len(character) == 1}


def _join(alike: dict[str, set[str]], one: str, other: str) -> None:
    together = alike.get(one, {one}) | alike.get(other, {other})
    for each in together:
        alike[each] = together
