"""The numbers of states, actions and outcomes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.arithmetic.words import signed
from ggp.encoding.numbering import Block, parse_scalar
from ggp.encoding.state_layout import Layout, decode_value, encode_value, set_words, type_words
from ggp.language import typed
from ggp.language.typed.types import ArrayType, BoolType, CellType, EnumType, IntType, OptionType, SetType, Type, codes
from tests.support import small_game

SCALARS = [BoolType(), IntType(-3, 70), IntType(5, 5), EnumType("hue", ("red", "blue")), CellType("cell", 30, 4)]


@st.composite
def valued_types(draw: st.DrawFn) -> tuple[Type, typed.Value]:
    def value_of(type_: Type) -> typed.Value:
        match type_:
            case OptionType(inner):
                return draw(st.one_of(st.none(), st.sampled_from(codes(inner))))
            case SetType(element):
                return draw(st.frozensets(st.sampled_from(codes(element))))
            case _:
                return draw(st.sampled_from(codes(type_)))  # type: ignore[arg-type]

    scalar = draw(st.sampled_from(SCALARS))
    element = draw(st.sampled_from([scalar, OptionType(scalar), SetType(scalar)]))
    if draw(st.booleans()):
        return ArrayType((IntType(1, 3),), element), tuple(value_of(element) for _ in range(3))
    return element, value_of(element)


@settings(max_examples=200)
@given(valued_types())
def test_what_is_encoded_is_decoded(given_value: tuple[Type, typed.Value]) -> None:
    type_, value = given_value
    words = encode_value(type_, value)
    assert len(words) == type_words(type_)
    assert all(signed(word) == word for word in words)
    assert decode_value(type_, words) == value


def test_signed_words() -> None:
    assert [signed(value) for value in (0, 1 << 63, (1 << 64) - 1, -1)] == [0, -(1 << 63), -1, -1]
    assert [set_words(IntType(1, n)) for n in (1, 64, 65, 128, 129)] == [1, 1, 2, 2, 3]


def test_every_action_has_a_number_and_a_text_of_its_own() -> None:
    layout = Layout(small_game.GAME)
    texts = [layout.action_text(action) for action in range(6)]
    assert texts == ["1", "2", "3", "fold", "raise 1", "raise 2"]
    for phase, actions in ((1, range(3)), (2, range(3, 6))):
        assert [layout.parse_action(texts[action], phase) for action in actions] == [(action,) for action in actions]
    assert layout.parse_action("raise  2 ", 2) == (5,)
    for wrong in ("", "raise", "raise 3", "raise 1 1", "fold 1", "4", "raise one", "raise 01", "raise 1"):
        assert layout.parse_action(wrong, 1) == (), wrong
    with pytest.raises(KeyError):
        layout.action_text(6)


def test_mixed_radix() -> None:
    types = (IntType(1, 3), CellType("cell", 3, 3))
    assert small_game.DEAL.chance is not None
    symbol = small_game.DEAL.chance.components[0].symbol
    parts = tuple(typed.Component(symbol, symbol, type_, type_) for type_ in types)
    block = Block("go", parts, types, (None, None), 100)
    assert block.count == 27
    assert [block.encode(codes_) for codes_ in ((1, 0), (1, 8), (2, 0), (3, 8))] == [100, 108, 109, 126]
    assert block.decode(115) == (2, 6)
    assert block.text(115) == "go 2 a3"
    assert block.parse("go 2 a3") == 115


@pytest.mark.parametrize("type_", SCALARS)
def test_texts_of_scalars_are_read_back(type_: Type) -> None:
    from ggp.language.typed.types import scalar_text

    for code in codes(type_):  # type: ignore[arg-type]
        assert parse_scalar(type_, scalar_text(type_, code)) == code  # type: ignore[arg-type]
    for wrong in ("", "zz", "a0", "0a", "-", "١", "a1b", "ad9", "99999999999999999999"):
        assert parse_scalar(type_, wrong) is None  # type: ignore[arg-type]
