"""Every kind of expression, as plain Python and as machine code, against the interpreter, on boards of all sizes."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from ggp.codegen.ir.nodes import Constant, Expression, Kind, Name, Operation
from ggp.language.typed.types import IntType, SetType
from ggp.rules_compiler.emit.arithmetic import equality
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.operands import Bits
from tests.support.comparison import compare_all
from tests.support.library import typed_game

INT, REAL, BOOL, CELLS, CELL = "-100000..100000", "real", "bool", "set of cell", "cell or none"
INITIAL = {INT: "0", BOOL: "no", CELLS: "{}", CELL: "none"}
MAX_PAYOFFS = 10
BOARDS = [(3, 3), (8, 8), (11, 9), (19, 17)]
DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


def check(head: str, state: str, results: dict[str, list[str]], lets: str = "") -> None:
    """Compare the values of expressions, by type, in all three implementations; reals are payoffs, ten at a time."""
    if len(results.get(REAL, ())) > MAX_PAYOFFS:
        check(head, state, {REAL: results[REAL][MAX_PAYOFFS:]}, lets)
        results = {**results, REAL: results[REAL][:MAX_PAYOFFS]}
    values = [(type_, text) for type_, texts in results.items() for text in texts if type_ != REAL]
    payoffs = results.get(REAL, ["0"])
    players = [f"p{number}" for number in range(max(2, len(payoffs)))]
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
        "payoff[p] = "
        + "".join(f"if p == {who} then {text} else " for who, text in zip(players, payoffs, strict=False))
        + "0",
    ]
    assert compare_all(typed_game("\n".join(lines) + "\n"), games=1, playouts=1) == ["end"]


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
