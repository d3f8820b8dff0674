"""What a person types is one of the legal actions where it is clear which, and several where it is not."""

from __future__ import annotations

import pytest

from ggp.cli.typed_actions import ActionNumbers

LEGAL = ("fold", "call", "raise 1", "raise 2", "e2 e4", "e2 e3 queen", "7")


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("fold", ["fold"]),
        ("F", ["fold"]),
        ("e2e4", ["e2 e4"]),
        ("e2e3q", ["e2 e3 queen"]),
        ("raise", ["raise 1", "raise 2"]),
        ("r 2", ["raise 2"]),
        ("e4", ["e2 e4"]),
        ("queen", ["e2 e3 queen"]),
        ("e2", ["e2 e4", "e2 e3 queen"]),
        ("7", ["7"]),
        ("#2", ["call"]),
        ("2", ["call"]),
        ("#9", []),
        ("zebra", []),
        ("", []),
    ],
)
def test_what_is_meant(answer: str, meant: list[str]) -> None:
    numbers = ActionNumbers()
    assert [numbers.number(text) for text in LEGAL] == [1, 2, 3, 4, 5, 6, 7]
    assert numbers.meant(answer, LEGAL) == meant


def test_an_action_keeps_its_number() -> None:
    numbers = ActionNumbers()
    assert [numbers.number(text) for text in ("a1", "b1", "c1")] == [1, 2, 3]
    assert [numbers.number(text) for text in ("c1", "d1", "a1")] == [3, 4, 1]
    assert numbers.meant("2", ["c1", "d1"]) == []
