"""Names that look alike count as the same; others do not."""

from __future__ import annotations

from string import ascii_lowercase, digits

import pytest

from server.matches.player_names import normalised, refusal, skeleton

ALIKE = [
    ("Ada", ["ada", "ADA", "аda", "Аdа", "Ａｄａ", "𝐀𝐝𝐚", "αda", "Ꭺda", "ɑda"]),
    ("Bobby", ["Воbby", "B0bby", "Ƅobby"]),
    ("Niels", ["Nie1s", "NIELS", "Nіels", "Niei5"]),
    ("Emma", ["Ernrna", "Еmma", "ℯmma"]),
    ("NINA", ["ΝΙΝΑ", "nina"]),
    ("x-ray", ["x‐ray", "x−ray", "х-ray", "x_ray"]),
]
DIFFERENT = [
    "ada", "adam", "bob", "rob", "eve", "ann", "anna", "hal", "tron", "turing", "nash", "kuhn", "rm", "duct",
    "g7", "søren", "soren", "zoë", "李明", "王明", "мир", "три", "Ωmega", "p1", "p3",
]  # fmt: skip


@pytest.mark.parametrize(("name", "others"), ALIKE, ids=[name for name, _ in ALIKE])
def test_names_that_look_alike_are_the_same(name: str, others: list[str]) -> None:
    assert {skeleton(other) for other in others} == {skeleton(name)}


def test_other_names_are_different() -> None:
    assert len({skeleton(name) for name in DIFFERENT}) == len(DIFFERENT)


def test_letters_and_digits_are_alike_only_where_they_look_so() -> None:
    classes: dict[str, str] = {}
    for character in ascii_lowercase + digits:
        classes[skeleton(character)] = classes.get(skeleton(character), "") + character
    assert sorted(alike for alike in classes.values() if len(alike) > 1) == ["il1", "o0", "s5", "z2"]


def test_what_cannot_be_seen_is_refused_with_a_sentence() -> None:
    assert refusal("Ada") is None
    unseen = ("A\u200bda", "A\u202eda", "A\ue000", "a" + 6 * "\u0301", "\u3164", "\u2800", "Ada\ufe0f")
    disturbing = ("", " rm", "rm ", "r\nm", "rm\n", "\x1b[31m", "\x9b31m", "a\nb")
    for name in (*unseen, *disturbing):
        told = refusal(name)
        assert told is not None
        assert "choose another one" in told
    assert normalised("e\u0301") == "é"


@pytest.mark.parametrize("name", ["r", "rm 0.025", "Πέτρος", "a" * 64])
def test_names_of_all_languages_are_accepted(name: str) -> None:
    assert refusal(name) is None
