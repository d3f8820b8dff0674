from __future__ import annotations

import time

import pytest

from ggp.language.library import library_names, load_rules
from ggp.language.text.grammar import grammar
from ggp.language.text.source import SourceFile, Span
from ggp.language_server.analysis import Analysis, analyse
from ggp.language_server.explanations import EXPRESSION_WORDS, WORD_HELP
from ggp.language_server.features import completions, hover, symbols

RULES = """\
game bids "Bid once"

param n: 2..9 = 3                              # cards each
players row, col
type card = 1..n
board cell = grid(3, 2)
table worth[card]: 0..9 = [1, 2, 3]
state
    hand[player]: set of card = all            # not played yet
    at: cell or none = none
    turn: player = row

let best = max(hand[row])
def gain(p: player, c: card) = worth[c] + count(hand[p])

phase bid
    each p chooses c in hand[p]
    let high = max(c[row], c[col])
    hand[p] := hand[p] - {c[p]}                            for p in player
    next act if best > 0 else end

phase act
    turn chooses
        raise by k in 1..n                                 where any q in player: worth[k] > 0
        fold
    on raise: at := cell(k, 1)
    on fold: turn := other(turn)
    next end

payoff[p] = sum c in hand[p]: gain(p, c)
"""


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    made = analyse(SourceFile("bids.rules", RULES))
    assert made.result.game is not None, made.result.diagnostics
    return made


def place(mark: str, offset: int = 0, text: str = RULES) -> tuple[int, int]:
    """Return line and column of the only place where `mark` stands."""
    assert text.count(mark) == 1, mark
    before = text[: text.index(mark) + offset]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


@pytest.mark.parametrize(
    ("mark", "offset", "text", "declared"),
    [
        ("best > 0", 0, "best: 1..3", "value, declared in line 13"),
        ("hand[p] - {", 1, "hand[player]: set of 1..3", "variable, declared in line 9\n\nnot played yet"),
        ("c[p]}", 0, "c[player]: 1..3", "chosen, declared in line 17"),
        ("gain(p, c)\n", 0, "gain(p: player, c: 1..3): 0..12", "function, declared in line 14"),
        ("1..n\nboard", 3, "param n: 2..9 = 3", "parameter, declared in line 3\n\ncards each"),
        ("worth[k]", 6, "k: 1..3", "chosen, declared in line 24"),
        ("cell(k, 1)", 5, "k: 1..3", "chosen, declared in line 24"),
        ("cell(k, 1)", 0, "cell", "board, declared in line 6"),
        ("{c[p]}", 3, "p: player", "name, declared in line 19"),
        ("hand[p]\n    let", 5, "p: player", "name, declared in line 17"),
        ("hand[row]", 5, "player", "player, declared in line 4"),
        ("act if", 0, "phase act", "phase, declared in line 22"),
        ("on fold", 3, "fold in phase act", "kind of move, declared in line 25"),
    ],
)
def test_hover_tells_what_a_name_is(analysis: Analysis, mark: str, offset: int, text: str, declared: str) -> None:
    found = hover(analysis, *place(mark, offset))
    assert found is not None
    assert found.text == f"```ggp-rules\n{text}\n```\n{declared}"


def test_hover_covers_the_word(analysis: Analysis) -> None:
    line, column = place("best > 0")
    assert hover(analysis, line, column + 4) == hover(analysis, line, column)
    found = hover(analysis, line, column)
    assert found is not None
    assert found.span == Span(line, column, line, column + 4)


@pytest.mark.parametrize(
    ("mark", "offset", "key"),
    [
        ("chooses c", 0, "chooses"),
        ("any q", 0, "any"),
        ("max(c", 1, "max"),
        ("none = none", 7, "none"),
        ("set of", 4, "of"),
    ],
)
def test_hover_tells_what_a_word_of_the_language_means(analysis: Analysis, mark: str, offset: int, key: str) -> None:
    found = hover(analysis, *place(mark, offset))
    assert found is not None
    assert found.text == WORD_HELP[key]


@pytest.mark.parametrize(
    ("mark", "offset"), [("cards each", 0), ('"Bid once"', 3), ("    at: cell", 0), (":= cell", 0)]
)
def test_hover_is_silent_elsewhere(analysis: Analysis, mark: str, offset: int) -> None:
    assert hover(analysis, *place(mark, offset)) is None
    assert hover(analysis, 999, 1) is None


def labels(text: str) -> set[str]:
    """Return what is offered where `|` stands in a text."""
    line, column = place("|", 0, text)
    return {one.label for one in completions(analyse(SourceFile("t.rules", text.replace("|", ""))), line, column)}


def with_line(line: str) -> str:
    return RULES.replace("    next act if best > 0 else end\n", line)


def test_completion_at_the_margin_offers_statements() -> None:
    found = labels(RULES + "|")
    assert {"phase", "state", "def", "estimate"} <= found
    assert not {"hand", "sees", "max"} & found


def test_completion_in_a_phase_offers_what_is_in_scope() -> None:
    found = labels(with_line("    |\n    next end\n"))
    assert {"sees", "next", "let", "hand", "high", "c", "best", "turn"} <= found
    assert not {"k", "game", "phase", "act"} & found


def test_completion_of_a_value() -> None:
    found = labels(with_line("    turn := o|\n    next end\n"))
    assert {"other", "hand", "high", "row", "col", "if", "worth", "gain", "north"} <= found
    assert not {"act", "sees", "k", "q"} & found


def test_completion_after_next_offers_phases() -> None:
    assert labels(with_line("    next |\n")) == {"bid", "act", "end"}
    assert labels(with_line("    next act if best > 0 else |\n")) == {"bid", "act", "end"}


def test_completion_of_a_type() -> None:
    types = {"set of", "bool", "card", "cell", "player", "direction"}
    assert labels(RULES.replace("    at:", "    new: |\n    at:")) == types
    assert labels(RULES.replace("type card", "type new = |\ntype card")) == types
    assert labels(RULES.replace("def gain(", "def new(a: |) = 1\ndef gain(")) == types


def test_completion_of_a_member_type() -> None:
    assert labels(RULES.replace("    at:", "    new: set of |\n    at:")) == {
        "bool",
        "card",
        "cell",
        "player",
        "direction",
    }


def test_completion_inside_a_broken_statement_knows_what_it_binds() -> None:
    assert "p" in labels(RULES.replace("sum c in hand[p]: gain(p, c)", "if best > max(|"))
    assert {"p", "a"} <= labels(RULES.replace("= worth[c]", "= worth[|").replace("c: card)", "a: card)"))
    assert {"z", "k"} <= labels(RULES.replace("any q in player: worth[k] > 0", "any z in player: worth[|"))
    assert "w" in labels(with_line("    let v = sum w in card: (w + |\n    next end\n"))


def test_completion_of_the_parts_of_a_product() -> None:
    text = RULES.replace("table worth", "type deck = card of player\ntable worth")
    assert labels(text.replace("next act", "turn := at.|\n    next act")) == {"x", "y", "number", "card", "player"}


def test_completion_offers_no_members_that_cannot_be_written() -> None:
    text = RULES.replace("table worth", "type low = 1..2\ntype face = low of side\ntable worth")
    found = labels(
        text.replace("players", "type side = {front, rear}\nplayers", 1).replace("turn := other(turn)\n", "turn := |\n")
    )
    assert "front" in found
    assert not [name for name in found if name[0].isdigit()]


def test_completion_of_a_word_begun() -> None:
    assert {"next", "turn"} <= labels(with_line("    ne|\n    next end\n"))


def test_completion_leaves_out_names_bound_in_other_statements() -> None:
    found = labels(RULES.replace("turn := other(turn)\n", "turn := |\n"))
    assert "turn" in found
    assert not {"q", "p"} & found


def test_hover_finds_the_nearest_binding() -> None:
    text = "players row, col\nlet v = (sum i in 1..2: abs(i)) + (sum i in 3..4: i)\n"
    made = analyse(SourceFile("t.rules", text))
    uses = [place("abs(i)", 4, text), (2, text.split("\n")[1].rindex("i") + 1)]
    found = [hover(made, *use) for use in uses]
    assert [one.text.split("\n")[1] if one else None for one in found] == ["i: 1..2", "i: 3..4"]


def test_completion_after_a_point_and_on() -> None:
    assert labels(with_line("    at := cell(at.|, 1)\n    next end\n")) == {"x", "y", "number"}
    assert labels(RULES.replace("    on fold:", "    on |\n    on fold:")) == {"raise", "fold"}


def test_completion_is_silent_in_comments_and_texts() -> None:
    assert labels(RULES.replace("# cards", "# |cards")) == set()
    assert labels(RULES.replace("Bid once", "Bid |once")) == set()
    assert labels(RULES + 'display\n    line "a|') == set()


def test_outline(analysis: Analysis) -> None:
    found = symbols(analysis)
    assert [(one.name, one.kind) for one in found] == [
        ("bids", "game"),
        ("n", "parameter"),
        ("players", "other"),
        ("card", "type"),
        ("cell", "type"),
        ("worth", "table"),
        ("state", "other"),
        ("best", "value"),
        ("gain", "function"),
        ("bid", "phase"),
        ("act", "phase"),
        ("payoff", "function"),
    ]
    assert [part.name for part in found[6].inside] == ["hand", "at", "turn"]
    assert found[9].whole == Span(16, 1, 20, 34)
    assert found[9].span == Span(16, 7, 16, 10)


@pytest.mark.parametrize("cut", range(0, len(RULES), 37))
def test_nothing_fails_on_half_a_file(cut: int) -> None:
    text = RULES[:cut]
    made = analyse(SourceFile("t.rules", text))
    lines = text.split("\n")
    completions(made, len(lines), len(lines[-1]) + 1)
    hover(made, len(lines), len(lines[-1]) + 1)
    symbols(made)


def test_every_word_is_explained() -> None:
    patterns = [terminal.pattern for terminal in grammar().terminals]
    words = {pattern.value for pattern in patterns if pattern.type == "str" and pattern.value.isalpha()}
    assert set(WORD_HELP) == words
    assert set(EXPRESSION_WORDS) <= words


@pytest.mark.sweep
@pytest.mark.parametrize("game", library_names())
def test_every_name_in_the_library_is_explained(game: str) -> None:
    made = analyse(*load_rules(game))
    assert made.result.game is not None
    silent = {
        str(token)
        for token in made.tokens
        if token.type == "NAME" and hover(made, token.line or 0, token.column or 0) is None
    }
    # The game's own name, which nothing refers to.
    assert silent <= {made.result.game.name}


def test_nothing_is_completed_behind_the_end_of_the_file(analysis: Analysis) -> None:
    # an editor may ask with a position of an older version
    assert completions(analysis, RULES.count("\n") + 5, 1) == []


def test_completing_in_a_long_file_takes_no_longer_than_its_names() -> None:
    long = RULES + "".join(f"let v{number} = count c in cell: c == at\n" for number in range(800))
    made = analyse(SourceFile("long.rules", long))
    spent = []
    for _ in range(3):
        began = time.process_time()
        assert len(completions(made, *place("let v7 = count", 14, long))) > 800
        spent.append(time.process_time() - began)
    assert min(spent) < 0.1  # it took twice that when every name looked through the whole text
