"""Verifiable chance: every random number of a match is a function of its seed and its purpose.

The number is the first eight bytes of SHA-256 over `seed:purpose:index`. So anyone can recompute it in
any language, draws of chance do not depend on whether a player was late, and past draws reveal nothing about
future ones. SHA-256 of `seed:nonce` is announced before the match, seed and nonce afterwards.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate


def seed_hash(seed: str, nonce: str) -> str:
    """Return the hexadecimal SHA-256 that is announced before a match."""
    return hashlib.sha256(f"{seed}:{nonce}".encode()).hexdigest()


def draw_word(seed: str, purpose: str, index: int) -> int:
    """Return the unsigned 64-bit number of a purpose, such as `chance`, and a count within it."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{purpose}:{index}".encode()).digest()[:8], "big")


def draw_index(seed: str, purpose: str, index: int, length: int) -> int:
    """Return a number from 0 to `length - 1`, uniform but for a bias of at most `length / 2**64`."""
    return (draw_word(seed, purpose, index) * length) >> 64


def draw_weighted(seed: str, purpose: str, index: int, probabilities: Sequence[float]) -> int:
    """Return a position in `probabilities`, drawn by them.

    The first position whose cumulative sum, added from the left in double precision, exceeds the draw in [0, 1) with
    53 bits; the last one of positive probability if rounding left the sum below the draw.
    """
    draw = (draw_word(seed, purpose, index) >> 11) / float(1 << 53)
    position = bisect_right(list(accumulate(probabilities)), draw)
    if position == len(probabilities):
        position = max((at for at, probability in enumerate(probabilities) if probability > 0), default=0)
    return position


def derive_seed(seed: str, *parts: object) -> str:
    """Return a separate seed for a part of a larger whole, such as one pairing of a tournament: 32 hex digits."""
    text = ":".join([seed, *(str(part) for part in parts)])
    return hashlib.sha256(text.encode()).hexdigest()[:32]
