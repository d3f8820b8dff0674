"""Scenes as SVG, and what scenes have in common."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from ggp.display.samples import sampled_svg
from ggp.language.pieces import COLOURS, SHAPES
from ggp.scene.common import UNKNOWN, in_common
from ggp.scene.scene import Board, Entry, Item, Piece, Place, Player, Row, Scene, player_colours
from ggp.scene.shapes import art
from ggp.scene.svg import svg_of
from ggp.scene.terminal import entry_text
from tests.support.library import library_names, load_typed

PLAYERS = (Player("white", "white"), Player("black", "black"))


def board(*pieces: Piece | None, style: str = "squares") -> Board:
    places = tuple(
        Place(f"{'abc'[number]}1", "cell", number + 0.5, 0.5, "square", pieces=() if piece is None else (piece,))
        for number, piece in enumerate(pieces)
    )
    return Board("cell", style, len(pieces), 1, places)


def test_every_shape_and_colour_is_drawn() -> None:
    assert set(art().shapes) | {"wall", "water", "burnt", "ground", "goal", "nothing"} == set(SHAPES)
    assert {*COLOURS, "neutral"} == set(art().palette)


@pytest.mark.sweep
@pytest.mark.parametrize("name", library_names())
def test_every_library_game_has_a_picture(name: str) -> None:
    root = ElementTree.fromstring(sampled_svg(load_typed(name), 1, 6))
    assert root.tag.endswith("svg")
    assert len(list(root.iter())) > 5


def test_a_game_of_one_transition_is_shown_at_its_end() -> None:
    pictures = {sampled_svg(load_typed("blotto"), seed, 8) for seed in range(4)}
    assert len(pictures) > 1, "what was chosen is seen"


def test_texts_are_escaped() -> None:
    entry = Entry("line", "<b>", "x", (Row((Item("a & b"),)),))
    scene = Scene(PLAYERS, (board(Piece("disc", "<")),), (entry,))
    text = "".join(ElementTree.fromstring(svg_of(scene)).itertext())
    assert "<b>" in text
    assert "a & b" in text


def test_values_can_be_left_out_of_a_picture_with_a_board() -> None:
    entry = Entry("line", "to play", "white", (Row((Item("white"),)),))
    assert "to play" not in svg_of(Scene(PLAYERS, (board(None),), (entry,)), values=False)
    assert "to play" in svg_of(Scene(PLAYERS, (), (entry,)), values=False)


def test_what_differs_between_scenes_is_unknown() -> None:
    pawn, rook, theirs = Piece("pawn", player=0), Piece("rook", player=0), Piece("rook", player=1)
    entries = [Entry("line", "n", str(n), (Row((Item(str(n)),)),)) for n in (1, 2)]
    left, right = (
        Scene(PLAYERS, (board(pawn, piece, other),), (entry,))
        for piece, other, entry in zip((pawn, rook), (pawn, theirs), entries, strict=True)
    )
    common = in_common(left, right)
    kept, of_a_player, hidden = common.boards[0].places
    assert kept.pieces == (pawn,)
    assert of_a_player.pieces == (Piece("tile", UNKNOWN, UNKNOWN, player=0),)
    assert hidden.pieces == ()
    assert hidden.mark is not None
    assert hidden.mark.shape == "unknown"
    assert common.entries[0].text == UNKNOWN
    assert in_common(left, left) == left


def test_of_counted_cards_as_many_are_known_as_are_always_there() -> None:
    def hand(*counts: tuple[str, int]) -> Scene:
        row = Row(tuple(Item(name, number=number) for name, number in counts), "ann", 0)
        return Scene(PLAYERS, (), (Entry("cards", "hand", "a text that is too long " * 9, (row, row)),))

    def common(one: Scene, other: Scene) -> list[tuple[str, int]]:
        return [(item.text, item.copies) for item in in_common(one, other).entries[0].rows[0].items]

    one = hand(("copper", 3), ("estate", 2))
    assert common(one, hand(("copper", 1), ("silver", 2), ("estate", 2))) == [
        ("copper", 1), ("estate", 2), (UNKNOWN, 1), (UNKNOWN, 1),
    ]  # fmt: skip
    assert common(one, hand(("copper", 3))) == [(UNKNOWN, 1)], "nor is it known how many there are"
    assert "copper ×3, estate ×2" in entry_text(one.entries[0])
    assert "×3" in svg_of(one)


def test_of_a_sequence_the_items_are_known_that_are_always_at_the_same_place() -> None:
    def pile(*words: str) -> Scene:
        rows = [Row(tuple(map(Item, held)), name, in_order=True) for name, held in (("ann", ["rose"]), ("bob", words))]
        texts = (f"{row.name} {' '.join(item.text for item in row.items)}" for row in rows)
        return Scene(PLAYERS, (), (Entry("line", "laid", "; ".join(texts), tuple(rows)),))

    def common(one: Scene, other: Scene) -> tuple[str, ...]:
        (entry,) = in_common(one, other).entries
        return entry.text, *(item.text for item in entry.rows[1].items)

    assert common(pile("rose", "skull"), pile("skull", "rose")) == ("ann rose; bob ? ?", UNKNOWN, UNKNOWN)
    assert common(pile("rose", "skull"), pile("rose", "rose")) == ("ann rose; bob rose ?", "rose", UNKNOWN)
    assert common(pile("rose"), pile("rose", "rose")) == ("ann rose; bob ?", UNKNOWN), "nor is it known how many"


def test_of_several_things_on_a_place_those_are_known_that_are_always_there() -> None:
    pawn, flag = Piece("pawn", player=0), Piece("flag")
    one, other = board(pawn), board(pawn)
    other = replace(other, places=(replace(other.places[0], pieces=(flag, pawn)),))
    (place,) = in_common(Scene(PLAYERS, (other,), ()), Scene(PLAYERS, (one,), ())).boards[0].places
    assert place.pieces == (pawn,)
    assert place.mark is not None


def test_players_have_different_colours_of_their_names_where_these_are_colours() -> None:
    assert [one.colour for one in player_colours(("white", "black"), COLOURS)] == ["white", "black"]
    assert [one.colour for one in player_colours(("blue", "first", "gold"), COLOURS)] == ["blue", "orange", "yellow"]
    named = player_colours(("crimson", "azure", "violet", "purple"), COLOURS)
    assert [one.colour for one in named] == ["red", "blue", "orange", "green"]
    named = player_colours(("red_master", "red_agent", "blues", "greys", "gold1", "light_green"), COLOURS)
    assert [one.colour for one in named] == ["red", "red", "blue", "gray", "yellow", "green"]
    many = player_colours(tuple(f"seat{number}" for number in range(12)), COLOURS)
    assert len({one.colour for one in many}) == 12


def test_cards_and_values_beside_each_other_are_drawn() -> None:
    hand = Entry(
        "cards",
        "hand",
        "",
        (
            Row(
                tuple(Item(text) for text in ("seven_of_clubs", "qd", "ace_of_spade", "heart_of_ten", "3_of_0", "?")),
                "you",
                0,
            ),
        ),
    )
    score = Entry(
        "score", "points", "", (Row((Item("3", number=3),), "you", 0), Row((Item("4", number=4),), "them", 1))
    )
    text = list(ElementTree.fromstring(svg_of(Scene(PLAYERS, (), (hand, score)))).itertext())
    assert [part for part in text[1:] if part.strip()] == [
        "hand",
        "you",
        "7♣",
        "Q♦",
        "A♠",
        "10♥",
        "3 | 0",
        "points",
        "you",
        "3",
        "them",
        "4",
    ]
