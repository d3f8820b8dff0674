"""Every kind of expression in all three implementations: values by hand, and boards and arrays of all sizes."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Collection, Mapping
from random import Random
from unittest.mock import Mock

import pytest

from ggp.codegen.ir.nodes import Constant, Expression, Kind, Name, Operation
from ggp.interpreter.interpreter import Interpreter
from ggp.language.typed import Value
from ggp.language.typed.types import IntType, SetType
from ggp.rules_compiler.emit.arithmetic import equality
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.operands import Bits
from tests.support.comparison import compare_all
from tests.support.library import typed_game

INT, REAL, BOOL, CELLS, CELL = "-100000..100000", "real", "bool", "set of cell", "cell or none"
NUMBERS, HUES = "set of 1..5", "set of hue"
INITIAL = {INT: "0", BOOL: "no", CELLS: "{}", CELL: "none", NUMBERS: "{}", HUES: "{}"}
MAX_PAYOFFS = 16
BOARDS = [(3, 3), (8, 8), (11, 9), (19, 17)]
DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


def check(head: str, state: str, results: Mapping[str, Collection[str]], lets: str = "") -> dict[str, Value | float]:
    """Compare the values of expressions, by type, in all three implementations, and return the interpreter's.

    Reals are payoffs, sixteen at a time.
    """
    reals, rest = list(results.get(REAL, ["0"])), {}
    if len(reals) > MAX_PAYOFFS:
        rest = check(head, state, {REAL: reals[MAX_PAYOFFS:]}, lets)
    payoffs = reals[:MAX_PAYOFFS]
    values = [(type_, text) for type_, texts in results.items() for text in texts if type_ != REAL]
    players = [f"p{number}" for number in range(max(2, len(payoffs)))]
    both = zip(players, payoffs, strict=False)
    bounded = [f"if p == {who} then max(-1000, min(1000, {text})) else " for who, text in both]
    lines = [
        'game expressions "t"',
        f"players {', '.join(players)}",
        *head.splitlines(),
        "state",
        *(f"    {line}" for line in state.splitlines()),
        *(f"    r{number}: {type_} = {INITIAL[type_]}" for number, (type_, _) in enumerate(values)),
        *lets.splitlines(),
        "phase only",
        "    p0 chooses q in 0..1",
        *(f"    r{number} := {text}" for number, (_, text) in enumerate(values)),
        "    next end",
        f"payoff[p] = {''.join(bounded)}0",
    ]
    game = typed_game("\n".join(lines) + "\n")
    assert compare_all(game, games=1, playouts=1) == ["end"]
    play = Interpreter(game)
    end = play.step(play.initial(), {0: play.legal(play.initial(), 0)[0]})
    found = zip((text for _, text in values), end.values[len(end.values) - len(values) :], strict=True)
    return {**dict(found), **dict(zip(payoffs, play.utilities(end), strict=False)), **rest}


HEAD = """type hue = {red, green, blue}
board cell = grid(4, 3)
table grid[1..2, 0..2]: 0..99 = [[10, 11, 12], [20, 21, 22]]
table arrows[hue]: set of hue = [{green}, {blue}, {}]
let around = {north, east, south, west}"""
STATE = """zero: 0..9 = 0
three: 0..9 = 3
four: 0..9 = 4
seven: -9..9 = -7
two: 1..2 = 2
nothing: 0..9 or none = none
some_: 0..9 or none = 3
yes_: bool = yes
no_: bool = no
few: set of 1..5 = {1, 3, 4}
pair: set of 1..5 = {2, 4}
empty: set of 1..5 = {}
hand[1..3]: set of 1..5 = [{1}, {2}, {3}]
corner: cell = a1
inner: cell = b2
nowhere: cell or none = none
row_: set of cell = {c1, d1, a2}
free: set of cell = all - {a1, b1, b2, c2}"""
LETS = "def double(x: 0..99) = x + x\ndef below(x: 1..5) = {y in 1..x: y mod 2 == 1}"
TABLE = {
    INT: """
        three + four = 7; three - four = -1; -three * four = -12; -three = -3; abs(seven) = 7; three ^ two = 9
        seven div two = -4; seven mod two = 1; (-seven) div (-two) = -4; (-seven) mod (-two) = -1
        min(three, four) = 3; max(three, four) = 4; sign(seven) = -1; sign(zero) = 0; some_ = 3
        if yes_ then 5 else three div zero = 5; if no_ then three div zero else 6 = 6; if no_ then nothing else 6 = 6
        if no_ then three mod zero else 6 = 6; if no_ then min(empty) else 6 = 6; if no_ then max(empty) else 6 = 6
        if no_ then (max x in empty: x) else 6 = 6
        grid[two, 1] = 21; grid[1, zero] = 10; sum(hand[two]) = 2; double(double(three)) - double(1) = 10
        count(few) = 3; sum(few) = 8; min(few) = 1; max(few) = 4; sum(empty) = 0; count(empty) = 0
        sum x in pair, y in 1..x: x * y = 46; sum x in few if x > 1: 3 div (x - 1) = 2
        max x in pair, y in 1..x if y mod 2 > 0: x * y = 12; min x in pair, y in 1..x if y mod 2 > 0: x * y = 2
        count x in pair, y in 1..x: y mod 2 > 0 = 3; sum x in empty: 1 = 0; count x in empty: yes_ = 0
        b3.x = 2; b3.y = 3; (inner + east).x = 3
    """,
    BOOL: """
        three == 3 = 1; some_ == 3 = 1; nothing == 3 = 0; nothing != nothing = 0
        nothing is none = 1; zero == nothing = 0
        three < 3 = 0; three <= 3 = 1; four > 3 = 1; two >= three = 0; not no_ = 1; yes_ and yes_ = 1; no_ or no_ = 0
        no_ and three div zero == 1 = 0; yes_ or three div zero == 1 = 1; yes_ or three mod zero == 1 = 1
        yes_ or nothing < 1 = 1; yes_ or min(empty) == 1 = 1; yes_ or (max x in empty: x) == 1 = 1
        2 in pair = 1; nothing in pair = 0; seven in pair = 0; {2} <= pair = 1; {2, 5} <= pair = 0
        all x in 1..5: x <= 5 = 1; all x in 1..5: x <= four = 0; any x in 1..5: x <= 1 = 1
        any x in 1..5: x <= zero = 0; no x in 1..5: x <= zero = 1; no x in 1..5: x <= 1 = 0
        any x in 1..5: if x < 3 then yes else three div zero == 1 = 1
    """,
    REAL: """
        1 / four = 0.25; 1 / zero = 0.0; two ^ -1 = 0.5; zero ^ -1 = 0.0; (zero - 8) ^ 0.5 = 0.0; sqrt(seven) = 0.0
        sqrt(9) = 3.0; log(zero) = 0.0; log(exp(1)) = 1.0; tanh(exp(1000 * four)) = 1.0
        tanh(two / 4) = 0.46211715726000973
    """,
    NUMBERS: """
        few + pair = {1, 2, 3, 4}; few - pair = {1, 3}; few & pair = {4}; {four, nothing, 1} = {1, 4}
        below(four) = {1, 3}; {y for x in pair, y in 1..x if y mod 2 > 0} = {1, 3}
    """,
    HUES: """
        reach from {red} through {green, blue} by arrows = {0, 1, 2}; reach from {red} through {blue} by arrows = {0}
    """,
    CELL: """
        corner + north = 4; corner + 2 * northeast = 10; corner + west = None; d1 + east = None; d3 + north = None
        inner + -1 * east = 4; inner + -1 * southeast = 8; inner + zero * northwest = 5; nowhere + north = None
    """,
    CELLS: """
        row_ + east = {3, 5}; reach from {corner} through free by around = {0, 2, 3, 4, 7, 8, 9, 10, 11}
    """,
}
"""Expressions by type, and their values by hand; cells are numbered by rows from the south-west, members from 0."""


def test_expressions_have_the_values_computed_by_hand() -> None:
    rows = {type_: [row.strip() for row in re.split(r";|\n", lines) if row.strip()] for type_, lines in TABLE.items()}
    expected = {type_: dict(row.rsplit(" = ", 1) for row in those) for type_, those in rows.items()}
    # row 2: ....   row 1: .##.   row 0: s#..   (s the source, # not in `free`)
    distances = ("0 12 8 7", "1 12 12 6", "2 3 4 5")
    for y, row in enumerate(distances, 1):
        expected[INT] |= {f"far[cell({x}, {y})]": told for x, told in enumerate(row.split(), 1)}
    found = check(HEAD, STATE, expected, f"{LETS}\nlet far = distance from {{corner}} through free by around")
    for texts in expected.values():
        for text, told in texts.items():
            value = literal_eval(told)
            assert found[text] == (pytest.approx(value) if isinstance(value, float) else value), text


@pytest.mark.sweep
@pytest.mark.parametrize(("width", "height"), BOARDS)
def test_sets_of_cells_and_steps(width: int, height: int) -> None:
    state = f"""a: set of cell = {{c in cell: hash(2, c, 1) == 1}}
b: set of cell = {{c in cell: hash(5, c, 2) == 0}}
nothing: set of cell = {{}}
at: cell = cell({(width + 1) // 2}, {(height + 1) // 2})
maybe: cell or none = none
way: direction = southeast
far: -3..3 = -2"""
    sets = ["a + b", "a - b", "a & b", "all - a", "{at, maybe, cell(1, 1)}", "if at == cell(1, 1) then a else b"]
    sets += ["{c + 2 * northeast for c in cell if c in a}", "a + way", "a + far * way", "a + far * east"]
    sets += [f"a + {times} * {way}" for way in DIRECTIONS for times in (-2, 1, 3)]
    cells = [f"at + {times} * {way}" for way in DIRECTIONS for times in (-1, 2)]
    cells += ["at + far * way", "maybe + way"]
    tests = ["at in a", "maybe in a", "b <= a", "nothing <= a", "a == b", "a != a", "maybe is none"]
    line = "(all i in 0..2: at + i * d in a)"
    tests += [f"({kind} d in direction: {line})" for kind in ("any", "all", "no")]
    numbers = ["count(a)", "at.x", "at.y", "sum c in a: c.x + 20 * c.y", "min c in a: c.y", "max c in a: c.x - c.y"]
    check(f"board cell = grid({width}, {height})", state, {CELLS: sets, CELL: cells, BOOL: tests, INT: numbers})


@pytest.mark.sweep
@pytest.mark.parametrize(("width", "height"), BOARDS)
def test_breadth_first_search(width: int, height: int) -> None:
    state = f"""free: set of cell = {{c in cell: hash(10, c, 3) > 2}}
sources: set of cell = {{cell(1, 1), cell({width}, {height})}}
directions: set of direction = {{north, east, southwest}}"""
    graph = "table graph[c: cell]: set of cell = {d in cell: hash(cells, c, d) < 2}"
    ways = ["{north, east, south, west}", "all", "directions", *(["graph"] if width * height < 100 else [])]
    reached = [f"reach from sources through free by {way}" for way in ways]
    distances = [f"sum c in cell: hash(99, c, (distance from sources through free by {way})[c])" for way in ways]
    head = f"let cells = {width * height}\nboard cell = grid({width}, {height})\n{graph if 'graph' in ways else ''}"
    check(head, state, {CELLS: reached, INT: distances})


def test_numbers_truth_and_options() -> None:
    state = """n: -9..9 = -7
m: 1..9 = 3
yes_: bool = yes
maybe: 3..9 or none = none
some_: -2..5 or none = 2"""
    pairs = [("n", "m"), ("m", "n"), ("n", "(-4)"), ("m", "2")]
    numbers = [f"{x} {sign} {y}" for sign in ("+", "-", "*", "div", "mod") for x, y in pairs]
    numbers += [f"{name}({x}, {y})" for name in ("min", "max") for x, y in pairs]
    numbers += ["-n", "abs(n)", "sign(n)", "some_", "hash(1000, n, m, 0)", "hash(1000, n)", "if yes_ then m else n"]
    tests = [f"n {sign} m" for sign in ("==", "!=", "<", "<=", ">", ">=")]
    tests += ["yes_ and n < m", "not yes_ or m < n", "maybe == 4", "some_ == 2", "maybe == some_", "some_ != maybe"]
    tests += ["maybe is none", "some_ is none", "(if yes_ then some_ else maybe) == 2"]
    reals = [f"{name}({x})" for name in ("abs", "sign", "tanh", "sqrt") for x in ("n * 1.5", "m / 7", "n - n")]
    reals += [
        f"tanh(({x}) {sign} ({y}))" for sign in ("+", "-", "*", "/", "^") for x, y in (("m / 2", "m / 3"), ("n", "m"))
    ]
    reals += [
        "tanh(m / (n - n))",
        "tanh((0 - m) ^ 0.5)",
        "tanh(exp(n))",
        "tanh(log(m))",
        "min(n / 2, m / 3)",
        "max(n / 2, m / 3)",
    ]
    reals += ["if n / 2 < m / 3 then 1 else 2", "if n / 7 == -1 then 1 else 2"]
    check("", state, {INT: numbers, BOOL: tests, REAL: reals})


def test_arrays_of_all_sizes_and_functions() -> None:
    head = """type hue = {a, b, c, d, e, f, g, h, i, j}
table price[hue]: 0..99 = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]"""
    state = """short[1..3]: 0..9 = [5, 6, 7]
other_[1..3]: 0..9 = [5, 8, 7]
long[hue, bool]: 0..99 = 7
sets[hue]: set of hue = {a, d, j}
which: hue = e
place: 1..3 = 2
yes_: bool = yes
n: 0..9 = 4"""
    lets = """def tall(x: 0..9) = sum k in 0..x if k != n: k * (x + n)
def multiples(z: 0..9) = {k in 0..99: k mod (z + 2) == 0}
def both(y: 0..9) = if tall(y) < 40 then short else other_"""
    numbers = ["short[place]", "short[3]", "long[which, yes_]", "long[j, yes]", "price[which]", "price[d]"]
    numbers += ["(if yes_ then short else other_)[place]", "sum k in 1..3: short[k]", "both(n)[2]", "both(9)[2]"]
    numbers += ["max w in sets[which], k in 1..place if k < 3: short[k] + long[w, no]", "count w in hue: w in sets[w]"]
    numbers += ["tall(n)", *(f"tall({k})" for k in range(10)), "sum(multiples(n))", "sum(multiples(1))"]
    check(head, state, {INT: numbers, BOOL: ["short == other_", "long != long", "sets[a] == sets[which]"]}, lets)


def test_values_of_one_kind_in_types_of_different_beginnings() -> None:
    state = """a: set of -3..4 = {-3, 2, 4}
b: set of 2..9 = {2, 4, 9}
big: set of 1..1000 = {1, 700, 1000}
less: set of 1..1000 = {1, 1000}"""
    tests = ["a == b", "b <= a", "9 in a", "big == less", "big - {700} == less", "less < big"]
    check("", state, {INT: ["count(a + b)", "sum(a & b)", "sum(big - less)"], BOOL: tests})


def test_comparing_the_largest_sets_is_not_nested_deeply() -> None:
    # LLVM's printer recurses: a chain of a thousand comparisons would be too deep for it
    left, right = (Bits(tuple(Name(f"{side}{at}", Kind.INT) for at in range(1024))) for side in ("left", "right"))
    equal = equality(Mock(spec=Builder), left, right, SetType(IntType(1, 65_536)))

    def depth(expression: Expression) -> int:
        assert isinstance(expression, Operation | Name | Constant)
        return 1 + max(map(depth, expression.operands), default=0) if isinstance(expression, Operation) else 1

    assert depth(equal) < 20


def test_what_the_condition_rules_out_is_not_evaluated() -> None:
    folds = [f"({kind} x in values if x > 0: 6 div x)" for kind in ("sum", "min", "max")]
    folds += ["(count x in values: x > 0 and 6 div x == 3)", "sum({6 div x for x in values if x > 0})"]
    check("", "values: set of 0..9 = {0, 2, 3}", {INT: folds})


def test_a_long_chain_of_one_operator_is_not_nested_deeply() -> None:
    numbers = [f"(n + {k}) mod 7" for k in range(150)]
    truths = [f"n != {k + 10}" for k in range(150)]
    sets = [f"{{n + {k}}}" for k in range(40)]
    ends = [
        " and ".join(truths),
        " or ".join(f"n == {k}" for k in range(10, 200)),
        " and ".join([*truths[:80], "n == 1"]),
    ]
    signed = "n" + "".join(f" {'-+'[k % 2]} {number}" for k, number in enumerate(numbers))
    signed += " - count({n, 1, 2} - {1} - {2})"  # in such a chain the difference of two sets stays one
    sums = [" + ".join(numbers), signed, " - ".join(numbers), "count(" + " + ".join(sets * 2) + ")"]
    check("", "n: 0..9 = 3", {INT: sums, BOOL: ends})


def test_a_long_chain_of_sets_is_one_from_left_to_right() -> None:
    random, members = Random(5), [*range(10)]

    def operand(depth: int) -> tuple[str, set[int]]:
        if depth and random.random() < 0.1:
            text, value = chain(12, depth - 1)
            return f"({text})", value
        value = set(random.sample(members, 2))
        return f"{{{', '.join(map(str, value))}}}", value

    def chain(length: int, depth: int) -> tuple[str, set[int]]:
        text, value = operand(depth)
        for _ in range(length):
            (more, other), operator = operand(depth), random.choice("+-")
            text, value = f"{text} {operator} {more}", value | other if operator == "+" else value - other
        return text, value

    chains = [chain(length, 2) for length in (59, 100)]
    sets = [f"    s{at}: set of 0..9 = {text}\n" for at, (text, _) in enumerate(chains)]
    game = typed_game(
        f'game g "t"\nplayers a, b\nstate\n{"".join(sets)}phase p\n    next end\npayoff[p] = count(s0 + s1)\n'
    )
    assert list(Interpreter(game).initial().values) == [value for _, value in chains]
