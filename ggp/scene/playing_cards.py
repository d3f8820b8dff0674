"""Playing cards by the texts of their values: `seven_of_clubs`, `heart_of_ten`, `qd`."""

from __future__ import annotations

import re

SUITS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
RANKS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "t": "10", "jack": "J", "queen": "Q", "king": "K", "ace": "A",
}  # fmt: skip
SHORT_CARD = re.compile(r"(10|[2-9tjqka])([cdhs])")


def corner(text: str) -> str:
    """Return the rank and the suit of a playing card as on its corner, `7♣`; empty: it is none."""
    rank, _, suit = text.partition("_of_")
    brief = SHORT_CARD.fullmatch(text)
    if brief:
        rank, suit = brief[1], next(word for word in SUITS if word[0] == brief[2])
    rank, suit = (suit, rank) if rank.rstrip("s") + "s" in SUITS else (rank, suit)
    sign = SUITS.get(suit.rstrip("s") + "s", "")
    return sign and RANKS.get(rank, rank.upper() if len(rank) == 1 else rank) + sign
