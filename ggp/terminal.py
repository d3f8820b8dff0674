"""Text of strangers, made safe to print: no escape sequence, no forged line, no letter that turns others around."""

from __future__ import annotations

import unicodedata

MAX_SHOWN = 500
"""Longer texts are cut."""
UNSAFE = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")


def safe_text(text: str, longest: int = MAX_SHOWN) -> str:
    r"""Return a text in one line; what moves the cursor, hides or turns text is shown as `\x1b` or `\u202e`."""
    shown = "".join(_escaped(character) for character in text[:longest])
    return shown if len(text) <= longest else shown + "…"


def _escaped(character: str) -> str:
    if unicodedata.category(character) not in UNSAFE:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
