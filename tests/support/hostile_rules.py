"""Rules files made to take time or memory, each with the words of its error; and one without an error."""

from __future__ import annotations

from collections.abc import Iterator

HEAD = 'game g "g"\nplayers a, b\n'
PLAY = "phase go\n    each p chooses x in 1..3\n    next end\npayoff[p] = 0\n"


def _file(*, before: str = "", state: str = "", phase: str = "", payoff: str = "0", choose: str = "1..3") -> str:
    block = f"state\n    {state}\n" if state else ""
    lines = "".join(f"    {line}\n" for line in phase.split("\n")) if phase else ""
    return (
        f"{HEAD}{before}{block}phase go\n    each p chooses x in {choose}\n{lines}    next end\npayoff[p] = {payoff}\n"
    )


def hostile_files() -> Iterator[tuple[str, str, str]]:
    """Give the name of each file, its text, and a part of the message that it must get."""
    for opened, closed in ("()", "[]", "{}"):
        yield f"nested {opened}{closed}", _file(payoff=opened * 10_000 + "1" + closed * 10_000), "brackets are nested"
    yield "only opened", _file(payoff="(" * 10_000), "brackets are nested"
    yield "long sum", _file(state="n: 0..9 = 0", payoff="+".join(["n"] * 10_000)), "this expression is too large"
    yield "many signs", _file(payoff="-" * 10_000 + "1"), "nested more than"
    yield "many nots", _file(payoff="if " + "not " * 10_000 + "yes then 1 else 0"), "nested more than"
    yield "many ifs", _file(payoff="if yes then 1 else " * 5_000 + "0"), "nested more than"
    yield "many powers", _file(payoff="2^" * 10_000 + "2"), "nested more than"
    yield "many indices", _file(payoff="x" + "[1]" * 10_000), "nested more than"
    functions = "def f0(i: 1..2) = i\n" + "".join(f"def f{n}(i: 1..2) = f{n - 1}(f{n - 1}(i))\n" for n in range(1, 80))
    yield "functions that call twice", _file(before=functions, payoff="f79(2)"), "may run through"
    chain = "def f0(i: 1..2) = i\n" + "".join(f"def f{n}(i: 1..2) = f{n - 1}(i)\n" for n in range(1, 1000))
    yield "a long chain of functions", _file(before=chain, payoff="f999(1)"), "nested too deep"
    lets = "let v0[p] = 1\n" + "".join(f"let v{n}[p] = (v{n - 1}[p] + v{n - 1}[p]) mod 7\n" for n in range(1, 100))
    yield "lets that double", _file(before=lets, payoff="v99[p]"), "nested too deep"
    bools = "state\n    s: bool = no\nlet v0[p] = s\n" + "".join(
        f"let v{n}[p] = v{n - 1}[p] == v{n - 1}[p]\n" for n in range(1, 100)
    )
    yield "truths that double", _file(before=bools, payoff="if v99[p] then 1 else 0"), "may run through"
    quantifiers = ", ".join(f"i{n} in 1..50" for n in range(8))
    arrays = "".join(f"table t{n}[1..2]: 0..9 = {n}\n" for n in range(10))
    handed = "def f0(v[1..2]: 0..9, w[1..2]: 0..9, z[1..2]: 0..9) = v[1] + w[1] - z[2]\n"
    more = "".join(f"let m{n} = f0(t{n % 10}, t{n // 10 % 10}, t{n // 100 % 10})\n" for n in range(600))
    yield "definitions for many arrays", _file(before=arrays + handed + more), "combinations of arrays"
    yield "quantifiers", _file(payoff=f"count {quantifiers}: i0 == i1"), "may run through"
    yield "a sum over much", _file(payoff="sum i in 1..9000000000: i"), "too large"
    many = ", ".join(f"i{n} in {{1}}" for n in range(3000))
    yield "many variables", _file(payoff=f"count {many}: yes"), "variables are too many"
    inside = "1"
    for _ in range(55):
        inside = f"hash(2, {inside})"
    yield "a hash of hashes", _file(payoff=f"{inside} + z"), "unknown name"
    inside = "x[p]"
    for _ in range(28):
        inside = f"(if {inside} in 1..2 then 1 else 2)"
    yield "membership of memberships", _file(payoff=f"{inside} + z"), "unknown name"
    yield "a huge range of choices", _file(choose="1..1000000000"), "too large"
    yield "huge numbers", _file(payoff="9" * 100_000), "too large"
    yield "huge real numbers", _file(payoff="1e999"), "too large"
    yield "overflow by powers", _file(payoff="10.0^300 * 10.0^300"), "too large"
    yield "overflow by products", _file(payoff="*".join(["9000000"] * 9)), "too large"
    yield "payoff without bounds", _file(state="s: 0..9 = 0", payoff="1 / (s - 0.5)"), "no bounds"
    yield "a state of 10^12 words", _file(state="s[1..60000]: set of 1..60000 = {}"), "the limit is"
    yield "a huge array", _file(state="s[1..1000, 1..1000]: 0..1 = 0"), "elements; the limit is"
    variables = "\n    ".join(f"s{n}[1..60000]: 0..1 = 0" for n in range(9000))
    yield "many arrays", _file(state=variables), "the limit is"
    tables = "".join(f"table t{n}[i: 1..60000]: 0..1 = 0\n" for n in range(1900))
    yield "many tables", _file(before=tables), "the limit is"
    sets = "".join(f"table t{n}[i: 1..60000]: set of 1..60000 = all - {{i}}\n" for n in range(100))
    yield "many sets", _file(before=sets), "too long"
    types = "".join(f"type r{n} = 1..{65000 - n}\ntable t{n}[i: 1..1]: set of r{n} = all\n" for n in range(900))
    yield "many full sets", _file(before=types), "the limit is"
    yield "a huge board", _file(before="board c = grid(1000, 1000)\n"), "too large"
    yield "a board too wide", _file(before="board c = grid(100000000, 1)\n"), "sides of a board"
    yield "many players", f'game g "g"\nplayers {", ".join(f"p{n}" for n in range(5000))}\n{PLAY}', "at most 16"
    members = ", ".join(f"m{n}" for n in range(5_000))
    yield "many members", _file(before=f"type e = {{{members}}}\n"), "the limit is"
    yield "many declarations", _file(before="".join(f"let v{n} = 1\n" for n in range(10_000))), "the limit is"
    yield "many phases", HEAD + "".join(f"phase q{n}\n    next end\n" for n in range(3000)), "too many"
    yield (
        "an update for very many",
        _file(state="s[1..16000]: 0..1 = 0", phase="s[i] := 1 for i in 1..16000, j in 1..16000"),
        "one step of this phase may run through",
    )
    yield (
        "a condition on very many choices",
        _file(choose="1..1000, y in 1..1000 where (sum i in 1..1000: i * x * y) > 5"),
        "one step of this phase may run through",
    )
    yield (
        "searches from everywhere",
        _file(
            before="board c = grid(250, 250)\n",
            payoff="sum k in c: count(reach from {k} through all by {north, east, south})",
        ),
        "may run through",
    )
    types = "".join(f"type r{n} = 1..{65000 - n}\nlet v{n} = count(r{n})\n" for n in range(100))
    yield "many constant sets", _file(before=types), "too much memory"
    elements = ", ".join(f"s + {n}" for n in range(2500))
    yield "a large set", _file(state="s: 0..9 = 0", payoff=f"count({{{elements}}})"), "too large"
    kinds = "".join(f"        k{n}\n" for n in range(1100))
    yield (
        "many kinds of moves",
        f"{HEAD}phase go\n    a chooses\n{kinds}    next end\npayoff[p] = 0\n",
        "kinds of moves are",
    )
    yield (
        "a default of many sets",
        _file(before="type big = 1..60000\nparam n: 0..9 = max k in 1..100: count(big - {k}) mod 2\n"),
        "this default takes too long",
    )
    yield (
        "a type of many sets",
        _file(before="type big = 1..60000\ntype small = 0..(max k in 1..100: count(big - {k}))\n"),
        "the upper end of a type takes too long",
    )
    yield "many statements", _file(state="s: 0..9 = 0", phase="\n".join(["s := 1 if s == 2"] * 3000)), "too long"
    yield "many mistakes", _file(phase="\n".join(f"y{n} := 1" for n in range(400))), "more than 50"
    yield "many unknown names", _file(
        before="".join(f"let name{n} = 1\n" for n in range(4000)), payoff="[" + ", ".join(
            f"nome{n}" for n in range(4000)) + "]"
    ), "known"  # fmt: skip
    yield (
        "a weight of zero",
        HEAD + "phase go\n    chance draws c in 1..3 weight 0\n    next end\npayoff[p] = 0\n",
        ("never positive"),
    )
    yield (
        "negative weights",
        HEAD + "phase go\n    chance draws c in 1..3 weight -c\n    next end\npayoff[p] = 0\n",
        ("never positive"),
    )
    yield (
        "a weight without bounds",
        (HEAD + "phase go\n    chance draws c in 1..3 weight 1.0 / (c - 2.0)\n    next end\npayoff[p] = 0\n"),
        "no bounds",
    )
    draws = ", ".join(f"c{n} in 1..{f'c{n - 1}' if n else 1000}" for n in range(10))
    yield "many outcomes", HEAD + f"phase go\n    chance draws {draws}\n    next end\npayoff[p] = 0\n", "different"
    yield "recursion", _file(before="def f(i: 1..3) = f(i)\n"), "calls itself"
    yield "a long file", "#" * 300_001, "characters; the limit"


def tar_pit() -> str:
    """Return rules within all limits that are quick at first, until one transition takes a second of native code.

    It searches a long board 300,000 times, each time through other cells.
    """
    return """game tar_pit "Quick at first; then one transition takes a second"

players a, b
board cell = grid(4, 250)

state
    steps[1..10]: 0..6 = 0
    turn: 0..2 = 0
    open: set of cell = all

phase firm
    each p chooses x in 1..3
    turn := turn + 1
    next swamp if turn == 2 else firm

phase swamp
    each p chooses x in 1..3
    steps[i] := (sum k in 1..30000:
        count(reach from {cell(1, 1)} through open - {cell((k + x[a]) mod 3 + 2, (k + i) mod 248 + 2)} by {north, east})
    ) mod 7 for i in 1..10
    next end

payoff[p] = 0
"""
